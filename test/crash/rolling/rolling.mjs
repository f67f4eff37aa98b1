#!/usr/bin/env node
// Replaces one worker after the other under load: npm run rolling -- [--minutes 4] [--upgrade] [--control drain]
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
await import('../chaos/typescript-hooks.mjs');
const { rollingCommand } = await import(join(import.meta.dirname, 'rolling-command.ts'));
process.exit(await rollingCommand(process.argv.slice(2)));
