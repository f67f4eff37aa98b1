#!/usr/bin/env node
// Kills everything under load and checks what is left: npm run chaos -- --minutes 15 --seed 1 [--backend redis]
import { join } from 'node:path';
import { bootstrap, ROOT } from '../../../scripts/bootstrap/bootstrap.mjs';

await bootstrap();
// The examples, as in the tests; every process of a run inherits them.
const { EXAMPLE_ENVIRONMENT } = await import('../../../scripts/example/environment.ts');
for (const [name, value] of Object.entries(EXAMPLE_ENVIRONMENT)) process.env[name] ??= value;
const { provideBuild } = await import('../../../scripts/local/project-build.ts');
await provideBuild(ROOT);
const { compilePrograms } = await import('../../support/services/compile-programs.ts');
await compilePrograms();
await import('./typescript-hooks.mjs');
const { chaosCommand } = await import(join(import.meta.dirname, 'chaos-command.ts'));
process.exit(await chaosCommand(process.argv.slice(2), ROOT));
