#!/usr/bin/env node
// @ts-check
// Prints figures of the source tree, to compare before and after a change of its structure: npm run gen:figures
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { countFigures } = await import('./figures/count-figures.ts');
const paths = execFileSync('git', ['ls-files', 'apps', 'libs', 'test', 'docs'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:ts|sql|md|mjs)$/.test(path));
const files = paths.map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
for (const { name, count } of countFigures(files)) console.log(`${String(count).padStart(8)}  ${name}`);
