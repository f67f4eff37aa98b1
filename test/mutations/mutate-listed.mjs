#!/usr/bin/env node
// Applies each mutant to a copy of the code, and reports which of them the tests kill:
// npm run mutate:listed -- [--row S4,S3-2] [--file part/of/a/path] [--draw 60 [--seed 1]] [--jobs 2]
import { join } from 'node:path';
import { bootstrap, ROOT } from '../../scripts/bootstrap/bootstrap.mjs';

await bootstrap();
// Some specs start built programs, which are those of the unchanged checkout.
const { provideBuild } = await import('../../scripts/local/project-build.ts');
await provideBuild(ROOT);
await import('../crash/chaos/typescript-hooks.mjs');
const { mutateListed } = await import(join(import.meta.dirname, 'mutate-listed.ts'));
process.exit(await mutateListed(process.argv.slice(2), ROOT));
