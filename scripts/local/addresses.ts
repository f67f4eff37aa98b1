import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from '../bootstrap/process-identity.mjs';

const END_WITHIN_MS = 5_000;

/** A process with its start time, which distinguishes it from a later process with the same id. */
export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Addresses of a running command's services, for people and other commands. With `processes` a later command can end
 * services that a killed command left behind.
 */
export interface Addresses {
  readonly api: string;
  /** API key; null with AUTH=off. */
  readonly apiKey: string | null;
  readonly docs: string;
  /** Health server of the worker; null when the worker runs in the API's process. */
  readonly worker: string | null;
  /** Null when a real provider is used. */
  readonly simulator: string | null;
  readonly database: string;
  readonly redis: string | null;
  /** Webhook receiver of the quickstart. */
  readonly receiver?: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly processes: readonly NamedProcess[];
}

/** @param folder folder of the environment */
export function writeAddresses(folder: string, addresses: Addresses): void {
  const file = addressesFile(folder);
  mkdirSync(folder, { recursive: true });
  // The file holds the database's password. It is renamed into place, so that no reader gets a partial file.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes the file if this process wrote it. */
export function removeAddresses(folder: string): void {
  if (readAddresses(folder)?.pids['command'] === process.pid) rmSync(addressesFile(folder), { force: true });
}

/**
 * Ends services left behind by a killed command. It spares services of a running command, and unrelated processes that reuse
 * an id.
 * @param root root of the checkout, which the command line of each service names
 * @returns the names of the ended services
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
