#!/usr/bin/env node
// Writes docs/errors.md from the catalogue of codes; --check only tells whether it is current: npm run errors | errors:check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsDocument } from './local/errors-table.mjs';

const FILE = join(import.meta.dirname, '..', 'docs', 'errors.md');

const document = errorsDocument();
if (!process.argv.includes('--check')) writeFileSync(FILE, document);
else if (readFileSync(FILE, 'utf8') !== document) {
  console.error('docs/errors.md is out of date: npm run errors');
  process.exitCode = 1;
}
