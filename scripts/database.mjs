#!/usr/bin/env node
// Runs the migrate program on DATABASE_URL, or on the embedded PostgreSQL when none is given:
// npm run db:migrate | db:generate | db:check
import { bootstrap, ROOT } from './local/bootstrap.mjs';

await bootstrap();
const { runUntilStopped } = await import('./local/run-until-stopped.mjs');
const { runDatabaseCommand } = await import('./local/run-database-command.mjs');
await runUntilStopped((context) => runDatabaseCommand({ root: ROOT, context, args: process.argv.slice(2) }));
