import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identifyProcess,
  isStillRunning,
  type ProcessIdentity,
} from '../../../scripts/bootstrap/process-identity.mjs';

const PREFIX = 'capstan-test-';
const OWNER_FILE = 'owner.json';

/** Makes the folder of one test run, marked with the process that owns it; other accounts may pass through it. */
export function createRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(identifyProcess(process.pid)));
  chmodSync(folder, 0o711);
  return folder;
}

/** The folders that earlier runs left because they were killed: their owner is gone. */
export function abandonedRunFolders(): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => {
      try {
        const owner = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity;
        return !isStillRunning(owner);
      } catch {
        // Another account's folder, or one that is just being made or removed: not ours to judge.
        return false;
      }
    });
}

/** Removes a run's folder with everything in it. */
export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
