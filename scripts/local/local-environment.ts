import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { withExclusiveLock } from '../bootstrap/exclusive-lock.mjs';
import { identifyProcess } from '../bootstrap/process-identity.mjs';
import { compiledFile, programFile, type ProgramName } from '../build/programs.ts';
import { assertPrivateDirectory } from '../postgres/private-directory.ts';
import { claimEnvironment, type ClaimedEnvironment, type EnvironmentCommand } from './claim-environment.ts';
import { endAbandonedServices, removeAddresses, writeAddresses, type Addresses } from './addresses.ts';
import { joinLocalDatabase } from './local-database.ts';
import { startLocalServices, type LocalServices, type ServiceWatch } from './local-services.ts';
import { provideApiKey } from './local-api-key.ts';
import { migrate } from './migrate-program.ts';
import { planPorts, type PortPlan } from './ports.ts';
import { checkDatabase, checkRedis } from './preflight.ts';
import { reserveDatabase } from './reserve-database.ts';
import { buildIsCurrent, provideBuild } from './project-build.ts';
import type { CommandContext } from './run-until-stopped.ts';
import {
  hasModelProvider,
  localEncryptionKey,
  modelWithoutProvider,
  programEnvironment,
  reachableHost,
  readSettings,
  serviceEnvironment,
  type Settings,
} from './settings.ts';
import { say, style, withProgress } from './terminal.ts';

/** A running local environment. */
export interface LocalEnvironment {
  /** Base URL without a trailing slash. */
  readonly api: string;
  /** API key with every scope; null with AUTH=off. */
  readonly apiKey: string | null;
  readonly services: LocalServices;
  /** Whether a real model provider is used; otherwise the simulator answers. */
  readonly hasModelProvider: boolean;
  /** Folder with logs and `addresses.json`, relative to the root. */
  readonly folder: string;
  /** Migrates the database to the newest schema, and updates seeded rows that no user has changed. */
  readonly migrate: () => Promise<unknown>;
  /** Rewrites `addresses.json` with one more address. */
  readonly publish: (more: { receiver?: string }) => void;
}

type Programs = 'bundled' | 'compiled' | ((name: ProgramName) => string);

interface UsedDatabase {
  readonly url: string;
  /** Null when another program started the server. */
  readonly pid: number | null;
}

/**
 * Starts everything that a running Capstan needs: build, database, schema, model, API, worker. Each part is registered with
 * the context, and ended in reverse order. No other run shares its database, queue or logs.
 * @param options.root folder of `.env` and of `.local` with all data
 * @param options.programs `bundled`: built here if the sources have changed; `compiled`: modules that another program
 *   compiles; or the path of each program of an installed package
 * @param options.isOneProcess whether API and worker share a process; otherwise each restarts alone
 * @param options.simulatedModel model of the seeded agents without a provider
 * @param options.defaults variables where the user sets none
 */
export async function startLocalEnvironment(options: {
  root: string;
  context: CommandContext;
  command: EnvironmentCommand;
  programs: Programs;
  isOneProcess: boolean;
  simulatedModel: string;
  defaults: Readonly<Record<string, string>>;
  watch: ServiceWatch;
}): Promise<LocalEnvironment> {
  const { root, context, command, programs, isOneProcess, simulatedModel, defaults, watch } = options;
  const settings = readSettings(root, process.env);
  const unasked = modelWithoutProvider(settings);
  if (unasked !== null)
    say(
      `  ${style.yellow('!')} DEFAULT_MODEL=${unasked} needs a provider, and no OPENAI_API_KEY is set: the simulator answers as ${simulatedModel}.`,
    );
  const place = await claimEnvironment(root, command);
  context.onStop(place.release);
  const folder = relative(root, place.folder);
  if (place.number > 1) {
    say(
      style.dim(
        `  Another run of this checkout is up: this one has a database of its own, ${place.database}.`,
      ),
    );
  }
  for (const name of await endAbandonedServices(place.folder, root)) {
    say(style.dim(`  Ended the ${name} of a command that was killed.`));
  }
  if (programs === 'bundled' && !buildIsCurrent(root)) {
    await withProgress('build', (note) => {
      note('dist is missing or older than the sources');
      return provideBuild(root);
    });
  }

  const database = await provideDatabase({ root, place, settings, context });
  context.signal.throwIfAborted();
  const redisUrl = settings['REDIS_URL'];
  if (redisUrl !== undefined) {
    await withProgress('redis', (note) => {
      note('queue and live events, from REDIS_URL');
      return checkRedis(redisUrl);
    });
  }

  const encryptionKey = localEncryptionKey(root);
  const { redisNamespace } = place;
  // Documents are kept beside the database that refers to them.
  const documents = join(place.folder, 'documents');
  mkdirSync(documents, { recursive: true });
  const given = {
    databaseUrl: database.url,
    defaults,
    documents,
    encryptionKey,
    redisNamespace,
    simulatedModel,
  };
  const env = programEnvironment(settings, given);
  const logs = join(place.folder, 'logs');
  const fileOf = pathsOf(programs);
  const program = { root, file: fileOf('migrate'), logs, env, context };
  const kept = await withProgress('migrate', (note) => {
    note('schema and seed data');
    return migrate(program);
  });
  for (const line of kept) say(style.dim(`    ${line}`));
  // Locked, so that commands starting at the same time, even of different checkouts, choose different ports.
  const { ports, services } = await withExclusiveLock(portsLock(), async () => {
    const plan = await planPorts(settings);
    for (const sentence of plan.moved) say(`  ${style.yellow('!')} ${sentence}`);
    const started = await startLocalServices({
      root,
      logs,
      env: { ...env, ...serviceEnvironment(settings, plan.ports) },
      ports: plan.ports,
      host: reachableHost(settings),
      fileOf,
      withSimulator: !hasModelProvider(settings),
      isOneProcess,
      context,
      watch,
    });
    return { ports: plan.ports, services: started };
  });

  const api = baseUrl(ports.api, reachableHost(settings));
  const apiKey =
    env['AUTH'] === 'off' ? null : await provideApiKey({ ...program, api, folder: place.folder });
  let extra: { receiver?: string } = {};
  const publish = (more: { receiver?: string }): void => {
    extra = { ...extra, ...more };
    writeAddresses(place.folder, {
      ...describeAddresses({ settings, ports, database, services }),
      apiKey,
      ...extra,
    });
  };
  context.onStop(() => removeAddresses(place.folder));
  publish({});
  return {
    api,
    apiKey,
    services,
    hasModelProvider: hasModelProvider(settings),
    folder,
    migrate: () => migrate(program),
    publish,
  };
}

function pathsOf(programs: Programs): (name: ProgramName) => string {
  if (typeof programs === 'function') return programs;
  return programs === 'bundled' ? programFile : compiledFile;
}

function provideDatabase(options: {
  root: string;
  place: ClaimedEnvironment;
  settings: Settings;
  context: CommandContext;
}): Promise<UsedDatabase> {
  const { root, place, settings, context } = options;
  return withProgress('database', async (note) => {
    const given = settings['DATABASE_URL'];
    if (given !== undefined) {
      note('PostgreSQL of DATABASE_URL');
      await checkDatabase(given);
      await reserveDatabase(given, context);
      return { url: given, pid: null };
    }
    note('embedded PostgreSQL');
    const database = await joinLocalDatabase(root, place.database);
    context.onStop(database.leave);
    note(`embedded PostgreSQL on port ${database.port}${database.wasRunning ? ', which ran already' : ''}`);
    return database;
  });
}

function describeAddresses(running: {
  settings: Settings;
  ports: PortPlan;
  database: UsedDatabase;
  services: LocalServices;
}): Omit<Addresses, 'apiKey'> {
  const { settings, ports, database, services } = running;
  const host = reachableHost(settings);
  const api = baseUrl(ports.api, host);
  const command = { name: 'command', identity: identifyProcess(process.pid) };
  const processes = [command, ...services.list()].flatMap(({ name, identity }) =>
    identity === null ? [] : [{ name, pid: identity.pid, startedAt: identity.startedAt }],
  );
  const pids = Object.fromEntries(processes.map(({ name, pid }) => [name, pid]));
  return {
    api,
    docs: `${api}/docs`,
    worker: services.names().includes('worker') ? baseUrl(ports.worker, host) : null,
    simulator: hasModelProvider(settings) ? null : `${baseUrl(ports.simulator)}/v1`,
    database: database.url,
    redis: settings['REDIS_URL'] ?? null,
    pids: database.pid === null ? pids : { ...pids, postgres: database.pid },
    processes,
  };
}

function baseUrl(port: number, host = '127.0.0.1'): string {
  return `http://${host}:${port}`;
}

/** One lock for each account of this machine. */
function portsLock(): string {
  const folder = join(tmpdir(), `capstan-${process.getuid?.() ?? 'account'}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertPrivateDirectory(folder);
  return join(folder, 'ports.lock');
}
