#!/usr/bin/env node
// @ts-check
// Starts the local environment, and restarts the services that a source change affects.
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
// The examples import it; compiling in the background does not write it.
await import('./build/write-example-package.ts');
const { runUntilStopped } = await import('./local/run-until-stopped.ts');
const { runDevelopment } = await import('./local/development.ts');
const { EXAMPLE_ENVIRONMENT: defaults } = await import('./example/environment.ts');
const { orderEntry } = await import('./example/order-entry.ts');
await runUntilStopped((context) =>
  runDevelopment({ root: ROOT, context, simulatedModel: orderEntry.simulatedModel, defaults }),
);
