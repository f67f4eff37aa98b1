import { readFileSync, writeFileSync } from 'node:fs';
import { errorsDocument } from './errors-document.js';

/** Writes docs/errors.md; with `--check` it only says whether that is what it would write. */
const FILE = 'docs/errors.md';

if (!process.argv.includes('--check')) writeFileSync(FILE, errorsDocument());
else if (readFileSync(FILE, 'utf8') !== errorsDocument()) {
  process.stderr.write(`${FILE} is out of date: npm run errors\n`);
  process.exitCode = 1;
}
