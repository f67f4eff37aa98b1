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
  const { countByStage } = await import('./figures/stages.ts');
  await runUntilStopped(async (context) => {
    const { all, own } = await measureWay(ROOT, context);
    for (const { folder, files: ofFolder } of byFolder(own)) {
      console.log(`${String(ofFolder.length).padStart(4)}  ${folder}`);
      for (const path of ofFolder) console.log(`        ${path.slice(folder.length + 1)}`);
    }
    for (const { stage, count } of countByStage(own)) console.log(`${String(count).padStart(4)}  ${stage}`);
    const rest = own.filter((path) => !/^libs\/(?:kernel|observability|config)\//.test(path));
    console.log(
      `${own.length} files on the way of a submit, ${rest.length} without kernel, observability and config`,
    );
    console.log(`${all.length} with those whose functions also run in an idle service`);
    return 0;
  });
}
