import { readFileSync, writeFileSync } from 'node:fs';
import { domains } from './domains.js';
import { errorsDocument } from './errors-document.js';

/** Writes docs/errors.md; with `--check` it only says whether that is what it would write. */
const FILE = 'docs/errors.md';

const text = errorsDocument(domains.errors);

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(`${FILE} is out of date: npm run errors\n`);
  process.exitCode = 1;
}
