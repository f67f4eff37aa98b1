import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from '../bootstrap/process-identity.mjs';

const END_WITHIN_MS = 5_000;

/** A process by name, recognisable after its id was given to another one. */
export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Where everything of a running command is, for people and for other commands. `processes` says who they are, so that
 * a later command can end what a killed one left behind.
 */
export interface Addresses {
  readonly api: string;
  readonly docs: string;
  /** Its health server. */
  readonly worker: string;
  /** null: a real provider is used. */
  readonly simulator: string | null;
  readonly database: string;
  readonly redis: string | null;
  /** The quickstart's webhook receiver. */
  readonly receiver?: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly processes: readonly NamedProcess[];
}

export function writeAddresses(root: string, addresses: Addresses): void {
  const file = addressesFile(root);
  mkdirSync(dirname(file), { recursive: true });
  // Holds the database's password. Renamed into place, so that nobody reads half of it.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes the file when it is still the one of this process. */
export function removeAddresses(root: string): void {
  if (readAddresses(root)?.pids['command'] === process.pid) rmSync(addressesFile(root), { force: true });
}

/**
 * Ends the services of a command that was killed before it could end them. Those of a command that still runs are left
 * alone, and so is a process that merely got the same id.
 * @returns the names of the services that were ended
 */
export async function endAbandonedServices(root: string): Promise<string[]> {
  const left = readAddresses(root);
  if (left === null) return [];
  const command = left.processes.find(({ name }) => name === 'command');
  if (command !== undefined && isStillRunning(command)) return [];
  const abandoned = left.processes.filter((service) => {
    return isStillRunning(service) && identifyProcess(service.pid)?.command.includes(root) === true;
  });
  await Promise.all(abandoned.map(end));
  rmSync(addressesFile(root), { force: true });
  return abandoned.map(({ name }) => name);
}

async function end(service: NamedProcess): Promise<void> {
  const limit = Date.now() + END_WITHIN_MS;
  while (isStillRunning(service)) {
    try {
      process.kill(service.pid, Date.now() < limit ? 'SIGTERM' : 'SIGKILL');
    } catch {
      return;
    }
    await delay(100);
  }
}

function addressesFile(root: string): string {
  return join(root, '.local', 'addresses.json');
}

function readAddresses(root: string): Addresses | null {
  try {
    return JSON.parse(readFileSync(addressesFile(root), 'utf8')) as Addresses;
  } catch {
    return null;
  }
}
