// Compiles the modules that programs share and keeps them where NODE_COMPILE_CACHE says: their starts read them there.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FOLDERS } from './programs.ts';

const folder = join(import.meta.dirname, '..', '..', PROGRAM_FOLDERS.service);
const isShared = (name: string): boolean => /^chunk-\w+\.js$/.test(name);

if (process.env['NODE_COMPILE_CACHE'] === undefined) throw new Error('NODE_COMPILE_CACHE names no folder');
// Node compiles a module in order to import it, and writes what it has compiled when the process ends.
for (const name of readdirSync(folder).filter(isShared)) await import(join(folder, name));
