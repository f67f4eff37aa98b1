#!/usr/bin/env node
// @ts-check
// Writes docs/requirements.md from the names of the tests; --check only says whether it is current:
// npm run requirements | requirements:check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { numbersIn, requirementsDocument, testsByRequirement } = await import('./requirements-table.ts');
const FILE = join(ROOT, 'docs', 'requirements.md');
/** What has been built so far, by number; grows with each capability. */
const BUILT = [
  'S0-1 … S0-44',
  'S1-1 … S1-78',
  'S3-1 … S3-31, S3-33, S3-37 … S3-39',
  'S4-1 … S4-4, S4-6, S4-7, S4-13 … S4-29, S4-31 … S4-43',
];

const document = requirementsDocument(ROOT);
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, document);
  process.exit();
}
const faults = [];
if (readFileSync(FILE, 'utf8') !== document)
  faults.push('docs/requirements.md is out of date: npm run requirements');
const tested = testsByRequirement(ROOT);
const untested = BUILT.flatMap(numbersIn).filter((number) => !tested.has(number));
if (untested.length > 0) faults.push(`no test names ${untested.join(', ')}`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
