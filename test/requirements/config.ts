import { type Requirement, verifiesOf } from './index.ts';

/** What the configuration promises to those who write one. */
export const entries = [
  {
    id: 'config:keys:unknown-refused',
    cases: ['B05'],
    sentence: 'An unknown key, a misspelt allow list above all, stops the start and is named with its line.',
  },
  {
    id: 'config:problems:all-at-once',
    sentence: 'Every problem of a file is reported in one go, each with line, column and key, in file order.',
  },
  {
    id: 'config:references:missing-named',
    cases: ['B56'],
    sentence: 'A reference to an unset variable is a problem that names the variable and shows no value.',
  },
  {
    id: 'config:references:everywhere',
    cases: ['B56'],
    sentence:
      'References are resolved in command, arguments, environment, URL and headers, with defaults and an escape.',
  },
  {
    id: 'config:environment:only-what-is-named',
    cases: ['B56'],
    sentence:
      "A child gets a small safe environment and its entry's variables, and never those of the gateway or of another server.",
  },
  {
    id: 'config:environment:inherited-by-name',
    cases: ['B56'],
    sentence:
      'Proxy and certificate variables of the gateway reach the servers whose entries name them, and no other.',
  },
  {
    id: 'config:secrets:collected',
    cases: ['B56'],
    sentence: 'Values that came from the environment into headers and variables are known as secrets.',
  },
  {
    id: 'config:hosts:blocks-unchanged',
    sentence:
      'The server blocks of hosts are accepted as they are, and what has no effect is reported as a notice.',
  },
  {
    id: 'config:hosts:names-apart',
    cases: ['B55'],
    sentence:
      'Host names that cannot be a prefix get one that depends on nothing but the file and meets no other.',
  },
  {
    id: 'config:namespaces:rules',
    cases: ['B55'],
    sentence:
      'A prefix with a foreign character, a double or a final underscore, or one that is taken, is refused.',
  },
  {
    id: 'config:servers:file-order',
    cases: ['B54'],
    sentence: 'Servers keep the order of the file, whatever their names look like.',
  },
  {
    id: 'config:filters:deny-is-stronger',
    cases: ['B05'],
    sentence: 'A name is let through when no deny pattern matches the whole of it and an allow pattern does.',
  },
  {
    id: 'config:urls:as-written',
    cases: ['B63'],
    sentence: 'The URL of a server is used as it is written, a trailing slash included.',
  },
  {
    id: 'config:headers:own-hop-only',
    cases: ['B45'],
    sentence: 'Headers that belong to one connection or to the protocol cannot be configured.',
  },
  {
    id: 'config:result:frozen',
    sentence: 'The configuration is frozen to its leaves, with every default filled in.',
  },
  {
    id: 'config:schema:published',
    sentence:
      'The published JSON Schema and the reference page are those of the code, and describe every key.',
  },
] as const satisfies readonly Requirement[];

export const verifies = verifiesOf(entries);
