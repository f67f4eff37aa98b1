import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the checkout in which mistakes can be made; its packages and its build are those of the checkout, by links. */
export interface SourceCopy {
  readonly folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  remove(): void;
}

/** Copies what Git would keep, as it stands now; nothing is linked that a mistake could reach the checkout by. */
export function copySources(root: string): SourceCopy {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-mutations-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split('\0')) {
    // Git still lists what was deleted and not committed.
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
