import { realpath } from 'node:fs/promises';
import { isAbsolute, join, parse } from 'node:path';
import { AppError } from '#libs/kernel';
import { checkFilesPath, MAX_FILE_BYTES } from '#libs/tooling';
import { isInside } from './is-inside.js';
import { leadsNowhere } from './leads-nowhere.js';
import { readVerified, type SandboxRead } from './read-verified.js';

const DESCRIPTORS = process.platform === 'linux' ? '/proc/self/fd' : null;

export interface FileSandboxOptions {
  /** Absolute path of the folder exposed as `/files`; not the file system's root. It need not exist yet. */
  readonly root: string;
  /**
   * Folder with a link per open descriptor, e.g. `/proc/self/fd`; null if the system has none. Defaults to the current
   * system's.
   */
  readonly descriptorFolder?: string | null;
}

/**
 * Reads files that tools made for the user (S0-39 … S0-41, S1-73, S1-74). Only regular files below the root are
 * readable, up to 5 242 880 bytes, even if links are swapped during the read. Never throws for a path. Answers contain
 * neither path nor reason, so that a client cannot probe which files exist outside.
 */
export class FileSandbox {
  private readonly root: string;
  private readonly descriptorFolder: string | null;

  /** Throws an `AppError` if the root is relative or the file system's root. */
  constructor({ root, descriptorFolder = DESCRIPTORS }: FileSandboxOptions) {
    if (!isAbsolute(root) || join(root, '/') === parse(root).root) {
      const message = 'the folder for files of tools must be an absolute path below the root of the disk';
      throw new AppError({ code: 'FILES_ROOT_INVALID', kind: 'internal', message });
    }
    this.root = root;
    this.descriptorFolder = descriptorFolder;
  }

  /** @param path path as the tool names it, beginning with `/files/` */
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
