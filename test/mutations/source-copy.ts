import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the checkout for mutants; `node_modules` and `dist` are links to those of the checkout. */
export interface SourceCopy {
  readonly folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  remove(): void;
}

/** Copies the working tree without ignored files; no link lets a mutant change the sources of the checkout. */
export function copySources(root: string): SourceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-mutations-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split('\0')) {
    // Git still lists files with an uncommitted deletion.
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  for (const made of ['node_modules', 'dist']) symlinkSync(join(root, made), join(folder, made));
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => {
      writeFileSync(join(folder, file), text);
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
