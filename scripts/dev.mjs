#!/usr/bin/env node
// Starts the local environment and restarts what a change of the sources touches.
import { bootstrap, ROOT } from './local/bootstrap.mjs';

await bootstrap();
const { runUntilStopped } = await import('./local/run-until-stopped.mjs');
const { runDevelopment } = await import('./local/run-development.mjs');
await runUntilStopped((context) => runDevelopment({ root: ROOT, context }));
