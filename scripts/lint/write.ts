import { writeFile } from 'node:fs/promises';
import { lintConfigText } from './config.ts';

await writeFile('.oxlintrc.json', await lintConfigText());
