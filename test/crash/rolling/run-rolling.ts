import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { withClient } from '../chaos/cluster/postgres-server.js';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { CRASH_WORKER } from '../services/crash-programs.js';
import { EffectServer } from '../services/effect-server.js';
import { offerWatchedTools } from '../services/offer-watched-tools.js';
import { RollingLoad } from './rolling-load.js';
import type { Replacement, RolledExecution, RollingWorld } from './rolling-world.js';

export interface RollingOptions {
  /** A migrated and seeded database; `drop` ends it. */
  readonly database: Pick<TestDatabase, 'url' | 'drop'>;
  readonly workers: number;
  /** The number of concurrent executions. */
  readonly width: number;
  readonly replacements: number;
  /** `drain`: each worker is asked to stop, and replaced once it has ended. `kill`: the control. */
  readonly ending: 'drain' | 'kill';
  /** The program of the successors, of another release; null for the same program. */
  readonly successor: string | null;
  /** Resolves when all processes are warm under the load. */
  readonly warmUp: (load: RollingLoad) => Promise<unknown>;
  /** Resolves when the next worker is to be replaced or, after the last one, when the load is to end. */
  readonly untilNext: (load: RollingLoad) => Promise<unknown>;
  readonly onReplaced?: (replacement: Replacement) => void;
  /** Called for every process as soon as it runs. */
  readonly onStarted?: (process: ServiceProcess) => void;
}

/** The queue's times of production, so that no job is taken over because of a shortened wait. */
const SETTINGS = { LOG_LEVEL: 'error', GRACE_MS: '30000', QUEUE_TIMES: 'production' };

/** Replaces workers one by one under load, and returns the results of the load. */
export async function runRolling(options: RollingOptions): Promise<RollingWorld> {
  const effects = await EffectServer.listen();
  try {
    const settings = { ...SETTINGS, EFFECT_SERVER_URL: effects.url };
    const deployment = await Deployment.on(options.database, 'postgres', settings);
    try {
      return await rollIn(deployment, effects, options);
    } finally {
      await deployment.close();
    }
  } finally {
    await effects.close();
  }
}

async function rollIn(
  deployment: Deployment,
  effects: EffectServer,
  options: RollingOptions,
): Promise<RollingWorld> {
  await offerWatchedTools(deployment.databaseUrl);
  const begin = async (program: string): Promise<ServiceProcess> => {
    const worker = await deployment.startWorker({}, program);
    options.onStarted?.(worker);
    return worker;
  };
  const [{ url, process: api }, workers] = await Promise.all([
    deployment.startApi(),
    Promise.all(Array.from({ length: options.workers }, () => begin(CRASH_WORKER))),
  ]);
  options.onStarted?.(api);

  const load = new RollingLoad(new ApiClient(url));
  load.start(options.width);
  await options.warmUp(load);
  const warmAt = Date.now();
  await options.untilNext(load);
  const replacements: Replacement[] = [];
  for (let nth = 0; nth < options.replacements; nth += 1) {
    const oldest = workers.shift();
    if (!oldest) throw new Error('there is no worker to replace');
    const at = Date.now();
    const exitCode = await (options.ending === 'drain' ? oldest.stop() : oldest.kill());
    const replacement = { at, exitCode, drainMs: Date.now() - at };
    replacements.push(replacement);
    workers.push(await begin(options.successor ?? CRASH_WORKER));
    options.onReplaced?.(replacement);
    await options.untilNext(load);
  }
  await load.stop();
  const executions = await readExecutions(deployment.databaseUrl, effects);
  return { warmAt, executions, failedRequests: load.failedRequests, replacements };
}

async function readExecutions(databaseUrl: string, effects: EffectServer): Promise<RolledExecution[]> {
  const charges = Map.groupBy(
    effects.calls.filter(({ tool }) => tool === WATCHED_TOOLS.unsafe),
    ({ executionId }) => executionId,
  );
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Omit<RolledExecution, 'charges'>>(
      `SELECT id, extract(epoch FROM created_at)::float8 * 1000 AS "acceptedAt",
              extract(epoch FROM finished_at - created_at)::float8 * 1000 AS "tookMs",
              coalesce(error ->> 'code', status) AS ending, attempt, lost_attempts AS "lostAttempts"
         FROM execution ORDER BY created_at`,
    ),
  );
  return rows.map((row) => ({ ...row, charges: charges.get(row.id)?.length ?? 0 }));
}
