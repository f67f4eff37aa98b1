#!/usr/bin/env node
// @ts-check
// Runs tests from any state of the checkout: npm test, npm run test:all. The arguments are in testing/test-command.ts.
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
// End-to-end tests start the built services as processes.
const { provideBuild } = await import('./local/project-build.ts');
const { mayStartPrograms, testCommand } = await import('./testing/test-command.ts');
const args = process.argv.slice(2);
if (mayStartPrograms(args)) await provideBuild(ROOT);
process.exitCode = await testCommand(ROOT, args);
