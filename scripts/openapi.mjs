#!/usr/bin/env node
// @ts-check
// Checks openapi.json, or the given file, against the rules of spectral, Redocly and this house: part of
// npm run check:openapi
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { documentFaults } = await import('./openapi/document-faults.ts');
const faults = await documentFaults(await readFile(process.argv[2] ?? join(ROOT, 'openapi.json'), 'utf8'));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
