import { realpath } from 'node:fs/promises';
import { isAbsolute, join, parse } from 'node:path';
import { AppError } from '#libs/kernel';
import { checkFilesPath, MAX_FILE_BYTES } from '#libs/tooling';
import { isInside } from './is-inside.js';
import { leadsNowhere } from './leads-nowhere.js';
import { readVerified, type SandboxRead } from './read-verified.js';

const DESCRIPTORS = process.platform === 'linux' ? '/proc/self/fd' : null;

export interface FileSandboxOptions {
  /** The folder that stands for `/files`: absolute, and not the root of the disk. It may not exist yet. */
  readonly root: string;
  /** Where the system shows what an open descriptor leads to; null where it does not. By default as on this system. */
  readonly descriptorFolder?: string | null;
}

/**
 * Reads the files that tools made for the user (S0-39 … S0-41, S1-73, S1-74). Whatever the path, and whatever links are
 * swapped meanwhile, only bytes of a regular file below the root come out, 5 242 880 at most. Never throws for a path,
 * and its answers name neither path nor reason: nothing outside can be distinguished from something that may not be read.
 */
export class FileSandbox {
  private readonly root: string;
  private readonly descriptorFolder: string | null;

  /** Throws an `AppError` where the root could not keep anything inside. */
  constructor({ root, descriptorFolder = DESCRIPTORS }: FileSandboxOptions) {
    if (!isAbsolute(root) || join(root, '/') === parse(root).root) {
      const message = 'the folder for files of tools must be an absolute path below the root of the disk';
      throw new AppError({ code: 'FILES_ROOT_INVALID', kind: 'internal', message });
    }
    this.root = root;
    this.descriptorFolder = descriptorFolder;
  }

  /** @param path as a tool names it, beginning with `/files/` */
  async read(path: string): Promise<SandboxRead> {
    const checked = checkFilesPath(path);
    if (checked.kind === 'refused') return { kind: 'refused' };
    const root = await realpath(this.root).catch(() => null);
    if (root === null) return { kind: 'missing' };
    const target = await realpath(join(root, checked.relative)).catch(() => null);
    if (target === null)
      return { kind: (await leadsNowhere(root, checked.relative)) ? 'missing' : 'refused' };
    if (!isInside(root, target)) return { kind: 'refused' };
    return readVerified(root, target, this.descriptorFolder, MAX_FILE_BYTES);
  }
}
