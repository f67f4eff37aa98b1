import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../explain-error.js';
import type { ResourceFile } from './read-resources.js';

const MAX_FILES = 1_000;
const MAX_BYTES = 1_048_576;
const NAME = /\.(ya?ml|json)$/;

/**
 * Reads a file, or every YAML and JSON file of a folder and those below it, in the order of their paths. Folders and files
 * whose names begin with a point, and node_modules, are left out.
 * @throws {UsageError} where there is none, or there are too many or too large ones
 */
export async function readFiles(path: string): Promise<ResourceFile[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new UsageError(`There is no file or folder ${path}.`);
  const files = found.isDirectory() ? await filesBelow(path) : [path];
  if (files.length > MAX_FILES) throw new UsageError(`${path} has more than ${MAX_FILES} files.`);
  return Promise.all(files.map(readOne));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const parts = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return filesBelow(path);
        return NAME.test(entry.name) ? [path] : [];
      }),
  );
  return parts.flat().sort();
}

async function readOne(path: string): Promise<ResourceFile> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new UsageError(`${path} has more than 1 MiB.`);
  return { path, text: await readFile(path, 'utf8') };
}
