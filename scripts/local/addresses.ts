import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** A key for it; null with AUTH=off. */
  readonly apiKey: string | null;
  readonly docs: string;
  /** Its health server; null: it runs in the process of the API, which answers for it. */
  readonly worker: string | null;
  /** null: a real provider is used. */
  readonly simulator: string | null;
  readonly database: string;
  readonly redis: string | null;
  /** The quickstart's webhook receiver. */
  readonly receiver?: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly processes: readonly NamedProcess[];
}

/** @param folder of the environment, as in all functions here */
export function writeAddresses(folder: string, addresses: Addresses): void {
  const file = addressesFile(folder);
  mkdirSync(folder, { recursive: true });
  // Holds the database's password. Renamed into place, so that nobody reads half of it.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes the file when it is still the one of this process. */
export function removeAddresses(folder: string): void {
  if (readAddresses(folder)?.pids['command'] === process.pid) rmSync(addressesFile(folder), { force: true });
}

/**
 * Ends the services of a command that was killed before it could end them. Those of a command that still runs are left
 * alone, and so is a process that merely got the same id.
 * @param root of the checkout, which the command line of a service names
 * @returns the names of the services that were ended
 */
export async function endAbandonedServices(folder: string, root: string): Promise<string[]> {
  const left = readAddresses(folder);
  if (left === null) return [];
  const command = left.processes.find(({ name }) => name === 'command');
  if (command !== undefined && isStillRunning(command)) return [];
  const abandoned = left.processes.filter((service) => {
    return isStillRunning(service) && identifyProcess(service.pid)?.command.includes(root) === true;
  });
  await Promise.all(abandoned.map(end));
  rmSync(addressesFile(folder), { force: true });
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

function addressesFile(folder: string): string {
  return join(folder, 'addresses.json');
}

export function readAddresses(folder: string): Addresses | null {
  try {
    return JSON.parse(readFileSync(addressesFile(folder), 'utf8')) as Addresses;
  } catch {
    return null;
  }
}
