#!/usr/bin/env node
// @ts-check
// Changes the code of the pure libraries by StrykerJS, and reports which changes no unit spec notices:
// npm run mutate -- [libs/policy/src/check-budget.ts …]    by default the files that differ from HEAD~1
import { execFileSync, spawnSync } from 'node:child_process';
import { bootstrap, ROOT } from '../../scripts/bootstrap/bootstrap.mjs';

await bootstrap();
await import('../crash/chaos/typescript-hooks.mjs');
const { pureFilesOf } = await import('./pure-files.ts');

const named = process.argv.slice(2);
const changed = ['diff', '--name-only', '--diff-filter=d', 'HEAD~1'];
const paths =
  named.length > 0 ? named : execFileSync('git', changed, { cwd: ROOT, encoding: 'utf8' }).split('\n');
const files = pureFilesOf(paths);
if (files.length === 0) {
  console.log('No file of a pure library: name some, or see test/mutations/pure-files.ts.');
  process.exit(named.length > 0 ? 2 : 0);
}
const { status } = spawnSync('stryker', ['run', '--mutate', files.join(',')], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status ?? 1);
