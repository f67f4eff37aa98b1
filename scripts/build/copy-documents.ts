import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'dist/docs';

/** Files of the package that its llms.txt names. Pure. */
export function filesNamed(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
}

/** Copies the documents that llms.txt of the package names into its `dist`. */
export function copyDocuments(root: string): void {
  const folder = join(root, 'packages/capstan');
  rmSync(join(folder, FOLDER), { recursive: true, force: true });
  for (const file of filesNamed(readFileSync(join(folder, 'llms.txt'), 'utf8'))) {
    if (!file.startsWith(`${FOLDER}/`)) continue;
    cpSync(join(root, 'docs', file.slice(FOLDER.length + 1)), join(folder, file));
  }
}
