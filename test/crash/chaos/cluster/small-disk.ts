import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statfsSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '../../../../scripts/postgres/account.ts';

const MEGABYTES = 1_024;
const BALLAST = 'ballast';
const BLOCK = Buffer.alloc(1024 * 1024);

/** A file system in memory for the tables of the service, which can really be full. The write-ahead log is elsewhere. */
export class SmallDisk {
  private constructor(
    private readonly mountPoint: string,
    /** The folder of the tablespace. */
    readonly directory: string,
  ) {}

  /** Mounts the file system; null if this account may not mount. */
  static mount(mountPoint: string): SmallDisk | null {
    mkdirSync(mountPoint, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m`, 'tmpfs', mountPoint], {
        stdio: 'ignore',
      });
    } catch {
      return null;
    }
    const directory = join(mountPoint, 'tablespace');
    mkdirSync(directory);
    const account = postgresAccount();
    if (account !== null) chownSync(directory, account.uid, account.gid);
    return new SmallDisk(mountPoint, directory);
  }

  /** Fills the file system to the last byte. */
  fill(): void {
    const file = openSync(join(this.mountPoint, BALLAST), 'w');
    try {
      for (;;) {
        const { bavail, bsize } = statfsSync(this.mountPoint);
        if (bavail === 0) return;
        writeSync(file, BLOCK, 0, Math.min(BLOCK.length, bavail * bsize));
      }
    } catch (error) {
      // The server took the last block first.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(join(this.mountPoint, BALLAST), { force: true });
  }
}
