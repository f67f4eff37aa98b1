#!/usr/bin/env node
// @ts-check
// Writes dist/requirements.md, the table of requirements and their tests; --check reports missing tests:
// npm run gen:requirements | check:requirements
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { faultsOf, readRequirements, requirementsDocument } = await import('./requirements-table.ts');
const FILE = join(ROOT, 'dist', 'requirements.md');

const requirements = readRequirements(ROOT);
if (!process.argv.includes('--check')) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, requirementsDocument(requirements));
  process.exit();
}
const faults = faultsOf(requirements);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
