import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from './process-identity.mjs';

/**
 * Where everything of a running command is, for people and for other commands. `processes` says who they are, so that
 * a later command can end what a killed one left behind.
 * @typedef {object} Addresses
 * @property {string} api
 * @property {string} docs
 * @property {string | null} simulator null: a real provider is used
 * @property {string} database
 * @property {string | null} redis
 * @property {string} worker its health server
 * @property {string} [receiver] the quickstart's webhook receiver
 * @property {Record<string, number>} pids
 * @property {{name: string, pid: number, startedAt: string}[]} processes
 */

/** @param {string} root */
function addressesFile(root) {
  return join(root, '.local', 'addresses.json');
}

/** @param {string} root @param {Addresses} addresses */
export function writeAddresses(root, addresses) {
  const file = addressesFile(root);
  mkdirSync(dirname(file), { recursive: true });
  // Holds the database's password. Renamed into place, so that nobody reads half of it.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/**
 * Removes the file when it is still the one of this process.
 * @param {string} root
 */
export function removeAddresses(root) {
  if (readAddresses(root)?.pids.command === process.pid) rmSync(addressesFile(root), { force: true });
}

/**
 * Ends the services of a command that was killed before it could end them. Those of a command that still runs are left
 * alone, and so is a process that merely got the same id.
 * @param {string} root
 * @returns {Promise<string[]>} the names of the services that were ended
 */
export async function endAbandonedServices(root) {
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

/** @param {{pid: number, startedAt: string}} service */
async function end(service) {
  const limit = Date.now() + 5_000;
  while (isStillRunning(service)) {
    try {
      process.kill(service.pid, Date.now() < limit ? 'SIGTERM' : 'SIGKILL');
    } catch {
      return;
    }
    await delay(100);
  }
}

/** @param {string} root @returns {Addresses | null} */
function readAddresses(root) {
  try {
    return JSON.parse(readFileSync(addressesFile(root), 'utf8'));
  } catch {
    return null;
  }
}
