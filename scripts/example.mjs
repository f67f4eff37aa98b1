#!/usr/bin/env node
// @ts-check
// Runs an example beside a running quickstart: npm run example -- NAME [ARGUMENTS]
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { runExampleProgram } = await import('./example/run-example-program.ts');
const [name, ...args] = process.argv.slice(2);
process.exit(await runExampleProgram({ root: ROOT, name: name ?? '', args, env: process.env }));
