import { join } from 'node:path';
import { endAbandonedServices, removeAddresses, writeAddresses } from './addresses.mjs';
import { localEncryptionKey } from './encryption-key.mjs';
import { baseUrl, describeAddresses } from './environment-addresses.mjs';
import { withExclusiveLock } from './exclusive-lock.mjs';
import { joinLocalDatabase } from './local-database.mjs';
import { migrate } from './migrate.mjs';
import { planPorts } from './port-plan.mjs';
import { checkDatabase, checkRedis } from './preflight.mjs';
import { build, buildIsCurrent } from './project-build.mjs';
import { readSettings } from './settings.mjs';
import { hasModelProvider, programEnvironment, serviceEnvironment } from './service-environment.mjs';
import { startLocalServices } from './local-services.mjs';
import { say, style, withProgress } from './terminal.mjs';

/**
 * What runs after `startLocalEnvironment`.
 * @typedef {object} LocalEnvironment
 * @property {string} api base URL without a slash at the end
 * @property {import('./local-services.mjs').LocalServices} services
 * @property {(more: {receiver?: string}) => void} publish writes `.local/addresses.json` anew, with one more address
 */

/**
 * Brings up everything that a running Capstan needs: build, database, schema, model, API, worker. What it starts is
 * registered with the context to be ended in reverse order.
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {boolean} options.needsBuild false: somebody else keeps `dist` up to date
 * @param {import('./local-services.mjs').ServiceWatch} options.watch
 * @returns {Promise<LocalEnvironment>}
 */
export async function startLocalEnvironment({ root, context, needsBuild, watch }) {
  const settings = readSettings(root, process.env);
  for (const name of await endAbandonedServices(root))
    say(style.dim(`  Ended the ${name} of a command that was killed.`));
  if (needsBuild) await provideBuild(root);

  const database = await provideDatabase({ root, settings, context });
  context.signal.throwIfAborted();
  if (settings.REDIS_URL !== undefined) {
    const url = settings.REDIS_URL;
    await withProgress('redis', (note) => {
      note('queue and live events, from REDIS_URL');
      return checkRedis(url);
    });
  }

  const env = programEnvironment(settings, database.url, localEncryptionKey(root));
  await withProgress('migrate', (note) => {
    note('schema and seed data');
    return migrate({ root, env, context });
  });
  // Two commands that start together must not choose the same ports.
  const { ports, services } = await withExclusiveLock(join(root, '.local', 'services.lock'), async () => {
    const plan = await planPorts(settings);
    for (const sentence of plan.moved) say(`  ${style.yellow('!')} ${sentence}`);
    const started = await startLocalServices({
      root,
      env: { ...env, ...serviceEnvironment(settings, plan.ports) },
      ports: plan.ports,
      withSimulator: !hasModelProvider(settings),
      context,
      watch,
    });
    return { ports: plan.ports, services: started };
  });

  /** @type {{receiver?: string}} */
  let extra = {};
  const publish = (/** @type {{receiver?: string}} */ more) => {
    extra = { ...extra, ...more };
    writeAddresses(root, { ...describeAddresses({ settings, ports, database, services }), ...extra });
  };
  context.onStop(() => removeAddresses(root));
  publish({});
  return { api: baseUrl(ports.api), services, publish };
}

/** @param {string} root */
async function provideBuild(root) {
  if (buildIsCurrent(root)) return;
  await withProgress('build', (note) => {
    note('dist is missing or older than the sources');
    return build(root);
  });
}

/**
 * @param {object} options
 * @param {string} options.root
 * @param {Readonly<Record<string, string>>} options.settings
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @returns {Promise<{url: string, pid: number | null}>}
 */
function provideDatabase({ root, settings, context }) {
  return withProgress('database', async (note) => {
    const given = settings.DATABASE_URL;
    if (given !== undefined) {
      note('PostgreSQL of DATABASE_URL');
      await checkDatabase(given);
      return { url: given, pid: null };
    }
    note('embedded PostgreSQL');
    const database = await joinLocalDatabase(root);
    context.onStop(database.leave);
    note(`embedded PostgreSQL on port ${database.port}${database.wasRunning ? ', which ran already' : ''}`);
    return database;
  });
}
