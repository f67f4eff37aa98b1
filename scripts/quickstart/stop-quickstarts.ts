import { setTimeout as delay } from 'node:timers/promises';
import { isStillRunning } from '../bootstrap/process-identity.mjs';
import { endAbandonedServices } from '../local/addresses.ts';
import { listEnvironments, type EnvironmentOwner } from '../local/claim-environment.ts';
import { stopUnusedDatabase } from '../local/local-database.ts';
import { say, style } from '../local/terminal.ts';

/** A command needs up to 10 s to stop its services, and up to 40 s more for its database. */
const END_WITHIN_MS = 90_000;

/**
 * Stops the quickstarts of this checkout, and services left behind by killed ones. Data is kept.
 * @returns the exit code: 0 even if nothing was running
 */
export async function stopQuickstarts(root: string): Promise<number> {
  const environments = listEnvironments(root);
  const stopped = (await Promise.all(environments.map((environment) => stop(root, environment)))).flat();
  if (await stopUnusedDatabase(root)) stopped.push('the PostgreSQL that nobody used any more');
  for (const what of stopped) say(`${style.green('✓')} Stopped ${what}.`);
  if (stopped.length === 0) say('No quickstart of this checkout runs.');
  for (const { owner } of environments) {
    if (owner?.command === 'dev') {
      say(`npm run dev (process ${owner.pid}) goes on: Ctrl-C in its terminal stops it.`);
    }
  }
  return 0;
}

/** @returns the stopped services */
async function stop(
  root: string,
  { place, owner }: ReturnType<typeof listEnvironments>[number],
): Promise<string[]> {
  if (owner?.command === 'dev') return [];
  if (owner !== null) await end(owner);
  const left = await endAbandonedServices(place.folder, root);
  return [
    ...(owner === null ? [] : [`the quickstart of environment ${place.number} (process ${owner.pid})`]),
    ...left.map((name) => `the ${name} that a killed command had left`),
  ];
}

async function end(owner: EnvironmentOwner): Promise<void> {
  const limit = Date.now() + END_WITHIN_MS;
  send(owner, 'SIGTERM');
  while (isStillRunning(owner)) {
    if (Date.now() > limit) send(owner, 'SIGKILL');
    await delay(100);
  }
}

function send({ pid }: EnvironmentOwner, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just exited.
  }
}
