#!/usr/bin/env node
// @ts-check
// Writes the generated pages of docs/reference; --check fails if one is out of date: npm run gen:reference | check:reference
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { referencePages } = await import('./reference/reference-pages.ts');

for (const [file, text] of Object.entries(await referencePages(ROOT))) {
  if (!process.argv.includes('--check')) writeFileSync(join(ROOT, file), text);
  else if (readFileSync(join(ROOT, file), 'utf8') !== text) {
    console.error(`${file} is out of date: npm run gen:reference`);
    process.exitCode = 1;
  }
}
