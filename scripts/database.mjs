#!/usr/bin/env node
// Runs the migrate program on DATABASE_URL, or on the embedded PostgreSQL when none is given:
// npm run db:migrate | db:generate | db:check
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap, ROOT } from './local/bootstrap.mjs';
import { build, buildIsCurrent } from './local/project-build.mjs';

await bootstrap();
if (!buildIsCurrent(ROOT)) await build(ROOT);
const { readSettings } = await import('./local/settings.mjs');
const { joinLocalDatabase } = await import('./local/local-database.mjs');

const settings = readSettings(ROOT, process.env);
const local = settings.DATABASE_URL ? null : await joinLocalDatabase(ROOT);
const env = { ...settings, DATABASE_URL: local?.url ?? settings.DATABASE_URL };
const program = join(ROOT, 'dist', 'apps', 'migrate', 'src', 'main.js');
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], {
  cwd: ROOT,
  env,
  stdio: 'inherit',
});
child.once('exit', (code) => {
  void (local?.leave() ?? Promise.resolve()).then(() => process.exit(code ?? 1));
});
