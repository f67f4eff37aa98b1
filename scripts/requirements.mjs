#!/usr/bin/env node
// @ts-check
// Writes docs/requirements.md from the names of the tests; --check only says whether it is current:
// npm run gen:requirements | check:requirements
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { faultsOf, readRequirements, requirementsDocument } = await import('./requirements-table.ts');
const FILE = join(ROOT, 'docs', 'requirements.md');

const requirements = readRequirements(ROOT);
const document = requirementsDocument(requirements);
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, document);
  process.exit();
}
const faults = faultsOf(requirements);
if (readFileSync(FILE, 'utf8') !== document)
  faults.push('docs/requirements.md is out of date: npm run gen:requirements');
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
