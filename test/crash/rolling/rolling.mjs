#!/usr/bin/env node
// Replaces one worker after the other under load: npm run rolling -- [--minutes 4] [--upgrade] [--control drain]
import { join } from 'node:path';
import { bootstrap, ROOT } from '../../../scripts/bootstrap/bootstrap.mjs';

// The domains of the examples, as in the tests; every process of a run inherits the variable.
process.env['DOMAINS'] ??= 'order-entry,support-desk';

await bootstrap();
const { provideBuild } = await import('../../../scripts/local/project-build.ts');
await provideBuild(ROOT);
const { compilePrograms } = await import('../../support/services/compile-programs.ts');
await compilePrograms();
await import('../chaos/typescript-hooks.mjs');
const { rollingCommand } = await import(join(import.meta.dirname, 'rolling-command.ts'));
process.exit(await rollingCommand(process.argv.slice(2)));
