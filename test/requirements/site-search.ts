import { verifiesOf } from './index.ts';
import type { Requirement } from './index.ts';

const SPEC = 'https://modelcontextprotocol.io/specification/2026-07-28';

export const entries = [
  {
    id: 'site-search:clients:every-client',
    spec: `${SPEC}/basic/versioning`,
    sentence: 'Each client generation lists, calls, reads, gets and completes over both transports',
  },
  {
    id: 'site-search:search:five-best',
    sentence: 'A search returns the five best passages with their source, in a stable order',
  },
  {
    id: 'site-search:search:track',
    sentence: 'A search that names a track returns passages of that track only',
  },
  {
    id: 'site-search:schema:track-enum',
    spec: `${SPEC}/server/tools`,
    sentence:
      'The published input schemas name the six tracks, optional in the search and required in the list',
  },
  {
    id: 'site-search:results:block-per-item',
    spec: `${SPEC}/server/tools`,
    sentence:
      'Each item of a tool result is a text block with one JSON object, and structuredContent.result is the list',
  },
  {
    id: 'site-search:errors:unknown-track',
    spec: `${SPEC}/server/tools`,
    sentence: 'A track that does not exist is an isError result that names the six',
  },
  {
    id: 'site-search:errors:unknown-tool',
    spec: `${SPEC}/server/tools`,
    sentence: 'An unknown tool is the error -32602',
  },
  {
    id: 'site-search:errors:unknown-chapter',
    spec: `${SPEC}/server/resources`,
    sentence: 'An unknown chapter is the error -32602 with its URI in the data',
  },
  {
    id: 'site-search:passages:word-boundaries',
    sentence: 'Passages end between words and together hold every word of their chapter',
  },
  {
    id: 'site-search:corpus:content',
    sentence: 'The bundled site has at least 32 chapters of substance over six tracks',
  },
  {
    id: 'site-search:corpus:other-root',
    sentence: 'Any folder whose sub-folders hold Markdown is served, and its sub-folders are the tracks',
  },
  {
    id: 'site-search:http:rebinding',
    spec: `${SPEC}/basic/transports/streamable-http`,
    sentence: 'On a loopback address a foreign Host or Origin is refused',
  },
  {
    id: 'site-search:http:no-stream',
    spec: `${SPEC}/basic/transports/streamable-http`,
    sentence: 'GET and DELETE on the endpoint are 405 with Allow',
  },
  {
    id: 'site-search:process:clean-end',
    spec: `${SPEC}/basic/transports/stdio`,
    sentence: 'When its input ends or a signal comes, the process answers what it read and exits with 0',
  },
  {
    id: 'site-search:process:stdout',
    spec: `${SPEC}/basic/transports/stdio`,
    sentence: 'Standard output carries protocol messages only',
  },
] as const satisfies readonly Requirement[];

export const verifies: ReturnType<typeof verifiesOf<typeof entries>> = verifiesOf(entries);
