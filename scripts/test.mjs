#!/usr/bin/env node
// @ts-check
// Runs the tests from any state of the checkout: npm test -- [arguments of jest]
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
// End-to-end tests start the built services as processes of their own.
const { provideBuild } = await import('./local/project-build.ts');
await provideBuild(ROOT);

const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
// Modules that Jest has loaded for one test file stay in memory to the end of the run: some gigabytes for all of them.
const flags = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--max-old-space-size=12288',
];
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
// Jest stops the services of the run when it is interrupted: this process waits for that.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal));
}
child.once('exit', (code) => process.exit(code ?? 1));
