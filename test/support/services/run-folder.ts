import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  identifyProcess,
  isStillRunning,
  type ProcessIdentity,
} from '../../../scripts/bootstrap/process-identity.mjs';

const PREFIX = 'capstan-test-';
const OWNER_FILE = 'owner.json';
const MEMORY = '/dev/shm';
/** Bytes of free memory; the databases of a run take some 500 MB. */
const MIN_MEMORY = 2 * 1024 ** 3;

/** Creates the folder of one test run, marked with its owner process; other accounts may traverse it. */
export function createRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  createDatabasesFolder(folder);
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)));
  chmodSync(folder, 0o711);
  return folder;
}

/** The folder for PostgreSQL data in the folder of a run. */
export function databasesFolder(folder: string): string {
  return join(folder, 'databases');
}

/**
 * Uses memory if there is enough: each test creates and drops databases of a thousand files, which would take a tenth of all
 * processor time on a disk.
 */
function createDatabasesFolder(folder: string): void {
  if (!hasMemory()) return mkdirSync(databasesFolder(folder));
  mkdirSync(memoryOf(folder));
  symlinkSync(memoryOf(folder), databasesFolder(folder));
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_MEMORY;
  } catch {
    return false;
  }
}

function memoryOf(folder: string): string {
  return join(MEMORY, basename(folder));
}

/** The folders of killed runs: their owner process does not run any more. */
export function abandonedRunFolders(): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => {
      try {
        const owner = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity;
        return !isStillRunning(owner);
      } catch {
        // The folder belongs to another account, or is just being created or removed.
        return false;
      }
    });
}

/** Removes a run's folder with everything in it. */
export function removeRunFolder(folder: string): void {
  for (const place of [memoryOf(folder), folder]) {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}
