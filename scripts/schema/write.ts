// Writes config.schema.json and the key tables of docs/reference/config.md from the configuration's schema.
import { writeFile } from 'node:fs/promises';

import { REFERENCE_FILE, referenceText, SCHEMA_FILE, schemaText } from './documents.ts';

await writeFile(SCHEMA_FILE, await schemaText());
await writeFile(REFERENCE_FILE, await referenceText());
