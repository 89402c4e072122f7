import { type Requirement, verifiesOf } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';

export const entries = [
  {
    id: 'catalog:names:one-for-one',
    spec: `${SPEC}/server/tools#tool-names`,
    cases: ['B55'],
    sentence:
      'Different native names of a server get different exposed names, and no namespace can produce a name of another.',
  },
  {
    id: 'catalog:names:fit-every-host',
    cases: ['B55'],
    sentence:
      'Every exposed name fits the configured length and the letters, digits, dash and underscore that hosts accept.',
  },
  {
    id: 'catalog:names:pure',
    cases: ['B55', 'B54'],
    sentence: 'A name depends on its namespace, its native form and the configuration, and on nothing else.',
  },
  {
    id: 'catalog:names:no-borrowed-namespace',
    cases: ['B55', 'B66'],
    sentence:
      'A server that shows its names as they are cannot show one that would stand in the namespace of another.',
  },
  {
    id: 'catalog:uris:round-trip',
    spec: 'https://www.rfc-editor.org/rfc/rfc3986',
    cases: ['B38'],
    sentence:
      'Any URI or template that is marked with its server keeps its scheme and can be read back exactly.',
  },
  {
    id: 'catalog:uris:both-reachable',
    cases: ['B38'],
    sentence:
      'Of servers with one URI the earlier keeps it, the later is read under its marked form, whichever listed first.',
  },
  {
    id: 'catalog:uris:no-shadow',
    cases: ['B38'],
    sentence:
      'A URI never leads to a server that the caller may not use, nor to one that took it from where it belongs.',
  },
  {
    id: 'catalog:uris:results-lead-back',
    cases: ['B38', 'B39'],
    sentence:
      'A URI that a server sends in a result, listed or not, leads back to it in the form that hosts are shown.',
  },
  {
    id: 'catalog:uris:app-pages',
    spec: 'https://modelcontextprotocol.io/extensions/apps/overview',
    cases: ['B35', 'B38'],
    sentence: 'A tool names the page of its app in the form in which that page can be read.',
  },
  {
    id: 'catalog:templates:shape',
    spec: 'https://www.rfc-editor.org/rfc/rfc6570',
    cases: ['B39'],
    sentence: 'A template matches every URI that RFC 6570 expands it to, percent-encoding untouched.',
  },
  {
    id: 'catalog:templates:lead-back',
    cases: ['B38', 'B39'],
    sentence:
      'Whatever a host makes of a template leads to the server that declared it, however its templates and resources overlap those of others.',
  },
  {
    id: 'catalog:templates:bounded',
    cases: ['B39', 'B33'],
    sentence: 'No template and no URI makes matching take long.',
  },
  {
    id: 'catalog:definitions:withheld-alone',
    spec: `${SPEC}/server/tools`,
    cases: ['B09'],
    sentence:
      'A definition that cannot be used is withheld with a reason in the diagnostics, and every other stays.',
  },
  {
    id: 'catalog:definitions:hosts-accept-all',
    cases: ['B09', 'B29'],
    sentence:
      'Whatever servers declare, what is listed is accepted whole by the strict readers of every revision.',
  },
  {
    id: 'catalog:definitions:harmless-repairs',
    cases: ['B09', 'B29'],
    sentence:
      'Nulls in optional places count as absent, and a missing schema or type says what it means; nothing else is added.',
  },
  {
    id: 'catalog:definitions:sound-untouched',
    cases: ['B32', 'B35', 'B40'],
    sentence:
      'A sound definition reaches hosts byte for byte apart from its name: schemas, unknown fields, numbers and order.',
  },
  {
    id: 'catalog:definitions:read-one-way',
    cases: ['B09'],
    sentence:
      'A definition that can be read in two ways is withheld, for it would be decided on in one of them.',
  },
  {
    id: 'catalog:definitions:legacy-form',
    spec: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#tool',
    cases: ['B09', 'B31', 'B32'],
    sentence:
      'Handshake hosts get the same tools in schemas that their revision allows, accepting the same arguments.',
  },
  {
    id: 'catalog:definitions:bounded',
    cases: ['B33'],
    sentence: 'Deeply nested, recursive and enormous schemas are listed or withheld in bounded time.',
  },
  {
    id: 'catalog:snapshot:order-of-arrival',
    spec: `${SPEC}/server/tools#capabilities`,
    cases: ['B54'],
    sentence:
      'A snapshot is in configuration order, then upstream order, whatever order servers answered in.',
  },
  {
    id: 'catalog:snapshot:duplicates',
    cases: ['B09', 'B55'],
    sentence: 'What a server lists twice counts once, with a diagnostic that says so.',
  },
  {
    id: 'catalog:lists:partial-adds',
    cases: ['B28', 'B08'],
    sentence: 'A partial answer adds to what is known and takes nothing away; a complete one replaces it.',
  },
  {
    id: 'catalog:lists:partial-read-again',
    cases: ['B28'],
    sentence: 'A list of which a part is missing is read again with a later request, without making it wait.',
  },
  {
    id: 'catalog:lists:last-change-seen',
    cases: ['B53', 'B52'],
    sentence: 'A burst of changes becomes few walks, and the last of them is always read.',
  },
  {
    id: 'catalog:lists:no-storm',
    cases: ['B53'],
    sentence:
      'A server that announces a change in every answer is read ever more rarely, and nobody waits for it.',
  },
  {
    id: 'catalog:lists:last-known',
    cases: ['B54', 'B46', 'B61'],
    sentence: 'A server that fails keeps its definitions, its instructions, its capabilities and its place.',
  },
  {
    id: 'catalog:lists:no-news-no-version',
    cases: ['B53'],
    sentence:
      'Walks that find what is known make no new snapshot, and listeners hear of real differences only.',
  },
  {
    id: 'catalog:settled:waits-for-first-answers',
    cases: ['B10', 'B08'],
    sentence:
      'A first answer waits for servers that were never heard, for a bounded time, and for none a second time.',
  },
  {
    id: 'catalog:refresh:possible-owners',
    cases: ['B66'],
    sentence:
      'An unknown name makes the servers that could own it list again, once for all who ask, and no server of others.',
  },
  {
    id: 'catalog:refresh:unreachable-owner',
    cases: ['B66', 'B36'],
    sentence:
      'When the one server that a name belongs to could never be listed, its trouble is the answer, not "unknown".',
  },
  {
    id: 'catalog:servers:one-primitive',
    cases: ['B37'],
    sentence: 'A list that fails takes nothing from the other lists of its server, nor from other servers.',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
