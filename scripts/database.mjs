#!/usr/bin/env node
// @ts-check
// Runs the migrate program on DATABASE_URL, or on the embedded PostgreSQL when none is given:
// npm run db:migrate | gen:migration | check:db
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

await bootstrap();
const { runUntilStopped } = await import('./local/run-until-stopped.ts');
const { runDatabaseCommand } = await import('./local/migrate-program.ts');
const { EXAMPLE_ENVIRONMENT: defaults } = await import('./example/environment.ts');
const args = process.argv.slice(2);
await runUntilStopped((context) => runDatabaseCommand({ root: ROOT, context, args, defaults }));
