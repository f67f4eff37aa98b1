// Compiles the shared modules into NODE_COMPILE_CACHE, from which programs read them at start.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FOLDERS } from './programs.ts';

const folder = join(import.meta.dirname, '..', '..', PROGRAM_FOLDERS.service);
const isShared = (name: string): boolean => /^chunk-\w+\.js$/.test(name);

if (process.env['NODE_COMPILE_CACHE'] === undefined) throw new Error('NODE_COMPILE_CACHE names no folder');
// Node compiles a module at its import, and writes the cache on exit.
for (const name of readdirSync(folder).filter(isShared)) await import(join(folder, name));
