#!/usr/bin/env node
// @ts-check
// Prints figures of the source tree, to compare before and after a change of its structure: npm run gen:figures
// With --way it prints the files on the way of one submit, measured while it runs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
if (process.argv.includes('--way')) await printWay();
const { countFigures } = await import('./figures/count-figures.ts');
const paths = execFileSync('git', ['ls-files', 'apps', 'libs', 'test', 'docs'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(?:ts|sql|md|mjs)$/.test(path));
const files = paths.map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }));
for (const { name, count } of countFigures(files)) console.log(`${String(count).padStart(8)}  ${name}`);

/** Ends the process. */
async function printWay() {
  const { runUntilStopped } = await import('./local/run-until-stopped.ts');
  const { byFolder } = await import('./figures/files-of-run.ts');
  const { measureWay } = await import('./figures/measure-way.ts');
  await runUntilStopped(async (context) => {
    const way = await measureWay(ROOT, context);
    const rest = way.filter((path) => !/^libs\/(?:kernel|observability|config)\//.test(path));
    for (const { folder, files: own } of byFolder(way)) {
      console.log(`${String(own.length).padStart(4)}  ${folder}`);
      for (const path of own) console.log(`        ${path.slice(folder.length + 1)}`);
    }
    console.log(
      `${way.length} files on the way of a submit, ${rest.length} without kernel, observability and config`,
    );
    return 0;
  });
}
