import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

const GENERATED = new Set([
  ...['node_modules', 'dist', 'coverage', '.git', '.local', 'package-lock.json'],
  // Types of openapi.json in apps/console.
  'generated',
]);
const BINARY = /\.(png|jpe?g|gif|ico|woff2?|pdf|zip|gz)$/;

export interface RepositoryFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Handwritten text files under a folder of the repository, without generated and binary ones. */
export function filesUnder(folder: string): RepositoryFile[] {
  return entriesUnder(folder)
    .filter((path) => statSync(join(ROOT, path)).isFile() && !BINARY.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** Empty folders under a folder of the repository. */
export function emptyFoldersUnder(folder: string): string[] {
  return entriesUnder(folder).filter(
    (path) => statSync(join(ROOT, path)).isDirectory() && readdirSync(join(ROOT, path)).length === 0,
  );
}

/** Names of the folders directly inside a folder. */
export function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

function entriesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !GENERATED.has(entry.name))
    .flatMap((entry) => {
      const path = relative(ROOT, join(ROOT, folder, entry.name));
      return entry.isDirectory() ? [path, ...entriesUnder(path)] : [path];
    });
}
