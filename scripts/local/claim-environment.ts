import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withExclusiveLock } from '../bootstrap/exclusive-lock.mjs';
import { identifyProcess, isStillRunning, type ProcessIdentity } from '../bootstrap/process-identity.mjs';

/** A command that keeps an environment running. */
export type EnvironmentCommand = 'quickstart' | 'dev';

/** Resources of one run, which the next run reuses. */
export interface LocalEnvironmentPlace {
  /** Number of the environment, from 1. */
  readonly number: number;
  /** Folder with `logs` and `addresses.json`. */
  readonly folder: string;
  /** Name of the database in the embedded PostgreSQL of this checkout. */
  readonly database: string;
  /** Key prefix in a Redis that others may share. */
  readonly redisNamespace: string;
}

export interface ClaimedEnvironment extends LocalEnvironmentPlace {
  readonly release: () => void;
}

/** Current or former owner of an environment. */
export interface EnvironmentOwner extends Pick<ProcessIdentity, 'pid' | 'startedAt'> {
  readonly command: EnvironmentCommand;
}

/**
 * Claims the first environment of this checkout without a running owner: concurrent runs never share a database, queue or
 * log, and consecutive runs reuse them.
 */
export function claimEnvironment(root: string, command: EnvironmentCommand): Promise<ClaimedEnvironment> {
  const folder = environmentsFolder(root);
  return withExclusiveLock(join(folder, 'claims.lock'), async () => {
    let number = 1;
    while (isTaken(placeOf(root, number))) number += 1;
    const place = placeOf(root, number);
    mkdirSync(place.folder, { recursive: true });
    const me = identifyProcess(process.pid);
    if (me === null) throw new Error('This process cannot be found among those of the machine.');
    writeFileSync(ownerFile(place), JSON.stringify({ command, pid: me.pid, startedAt: me.startedAt }));
    return { ...place, release: () => rmSync(ownerFile(place), { force: true }) };
  });
}

/** All environments ever used in this checkout, with their running owners. */
export function listEnvironments(
  root: string,
): { readonly place: LocalEnvironmentPlace; readonly owner: EnvironmentOwner | null }[] {
  let names: string[];
  try {
    names = readdirSync(environmentsFolder(root));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => placeOf(root, Number(name)))
    .map((place) => ({ place, owner: livingOwner(place) }))
    .toSorted((one, other) => one.place.number - other.place.number);
}

/** The environment for commands that keep nothing running; a single run uses the same one. */
export function firstEnvironment(root: string): LocalEnvironmentPlace {
  return placeOf(root, 1);
}

function placeOf(root: string, number: number): LocalEnvironmentPlace {
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return {
    number,
    folder: join(environmentsFolder(root), String(number)),
    database: number === 1 ? 'capstan' : `capstan_${number}`,
    redisNamespace: `capstan-${checkout}-${number}`,
  };
}

function isTaken(place: LocalEnvironmentPlace): boolean {
  return livingOwner(place) !== null;
}

function livingOwner(place: LocalEnvironmentPlace): EnvironmentOwner | null {
  try {
    const owner = JSON.parse(readFileSync(ownerFile(place), 'utf8')) as EnvironmentOwner;
    return isStillRunning(owner) ? owner : null;
  } catch {
    // Unclaimed, or a partial file from a killed process.
    return null;
  }
}

function ownerFile({ folder }: LocalEnvironmentPlace): string {
  return join(folder, 'owner.json');
}

function environmentsFolder(root: string): string {
  return join(root, '.local', 'environments');
}
