import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EffectServer, type RecordedCall } from '../services/effect-server.js';
import { checkWorld } from './checks/check-world.js';
import type { Violation } from './checks/violation.js';
import { ApiCaller } from './clients/api-caller.js';
import { timeCalmExecutions } from './clients/calm-client.js';
import { LoadClient } from './clients/load-client.js';
import { ModelLedger } from './clients/model-ledger.js';
import { registerEndpoints } from './clients/register-endpoints.js';
import { WebhookSink } from './clients/webhook-sink.js';
import { ChaosCluster } from './cluster/chaos-cluster.js';
import { Guardian } from './cluster/guardian.js';
import { FaultInjector, type InflictedFault } from './cluster/fault-injector.js';
import { countLeftInQueue, findLeaks, Observer, waitUntilDrained } from './cluster/observe.js';
import { withClient } from './cluster/postgres-server.js';
import type { CallRecord, ChaosWorld } from './ledgers/chaos-world.js';
import { readDatabaseLedger } from './ledgers/database-ledger.js';
import { disturbances, leaseOutages, lostTails, streamOutages } from './ledgers/disturbances.js';
import { Timeline } from './ledgers/timeline.js';
import { planControlFaults, type Control } from './plan/control-plan.js';
import type { Backend, FaultKind } from './plan/fault.js';
import { planFaults, type PlannedFault } from './plan/fault-plan.js';
import { SeededRandom } from './plan/seeded-random.js';
import type { Times } from './plan/times.js';

export interface ChaosOptions {
  readonly seed: number;
  readonly backend: Backend;
  /** Milliseconds during which faults are inflicted. */
  readonly durationMs: number;
  /** The number of concurrent conversations. */
  readonly width: number;
  readonly control: Control | null;
  readonly times: Times;
  /** The folder for the timeline, the logs and the report. */
  readonly outputFolder: string;
  /** The folder with `dist`. */
  readonly root: string;
}

export interface ChaosResult {
  readonly options: ChaosOptions;
  readonly world: ChaosWorld;
  readonly faults: readonly InflictedFault[];
  readonly violations: readonly Violation[];
  /** The number of answers that clients got, by method and status. */
  readonly answers: ReadonlyMap<string, number>;
  readonly repeatedCalls: number;
  readonly mostConnections: number;
}

/** Runs the load, the faults, the calm time and the checks. Leaves no process, mount or folder behind, even if it fails. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  mkdirSync(options.outputFolder, { recursive: true });
  const home = mkdtempSync(join(tmpdir(), 'capstan-chaos-'));
  chmodSync(home, 0o711);
  const guardian = Guardian.start();
  guardian.guard({ folder: home });
  const interrupted = () => void guardian.finish().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return await runIn(home, guardian, options);
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    await guardian.finish();
  }
}

async function runIn(home: string, guardian: Guardian, options: ChaosOptions): Promise<ChaosResult> {
  const random = new SeededRandom(options.seed);
  const chance = { faults: random.fork('faults'), webhooks: random.fork('webhooks') };
  const timeline = new Timeline(join(options.outputFolder, 'timeline.ndjson'));
  timeline.note('start', { seed: options.seed, home });
  const effects = await EffectServer.listen();
  const sink = await WebhookSink.listen(chance.webhooks);
  try {
    const logFolder = join(options.outputFolder, 'logs');
    const { backend, control, times, root } = options;
    const effectServerUrl = effects.url;
    const surroundings = { root, home, logFolder, effectServerUrl, timeline, guardian };
    const cluster = await ChaosCluster.start({ backend, control, times, ...surroundings });
    const impossible: FaultKind[] = cluster.targets.disk === null ? ['postgres_disk_full'] : [];
    const { durationMs } = options;
    const plan =
      control === null
        ? planFaults(chance.faults, { durationMs, backend, times, impossible: new Set(impossible) })
        : planControlFaults(control, durationMs, times);
    const result = await torment({ options, plan, random, cluster, effects, sink, timeline, logFolder });
    await cluster.stop();
    return result;
  } finally {
    await Promise.all([effects.close(), sink.close()]);
  }
}

interface Stage {
  readonly options: ChaosOptions;
  readonly plan: readonly PlannedFault[];
  readonly random: SeededRandom;
  readonly cluster: ChaosCluster;
  readonly effects: EffectServer;
  readonly sink: WebhookSink;
  readonly timeline: Timeline;
  readonly logFolder: string;
}

async function torment(stage: Stage): Promise<ChaosResult> {
  const { options, plan, random, cluster, effects, sink, timeline, logFolder } = stage;
  const { databaseUrl } = cluster.targets;
  const caller = new ApiCaller(cluster.apiUrls, random.fork('api'));
  const models = new ModelLedger(cluster.simulatorUrl);
  for (const [tenantId, secret] of await registerEndpoints(caller, cluster.tenants, sink))
    cluster.secrets.set(`webhook secret of ${tenantId}`, secret);
  const load = new LoadClient(caller, cluster.tenants, random.fork('load'), models, options.control);
  const observer = new Observer(cluster);
  const injector = new FaultInjector(cluster.targets, timeline);

  observer.start();
  const [calmTenant] = cluster.tenants;
  const beforeMs = await timeCalmExecutions(load, calmTenant, `seed${options.seed}-before`);
  const from = Date.now();
  load.start(options.width, `seed${options.seed}`);
  timeline.note('load begins', { seed: options.seed, backend: options.backend, faults: plan.length });
  await injector.inflictAll(plan);
  load.stopSending();
  if (options.control === 'reconciler') await injector.loseEverythingOnce(options.backend);
  const neverReady = await cluster.namesOfUnready();
  timeline.note('faults end');
  const to = Date.now();
  const { drainLimitMs } = options.times;
  const drainedAfterMs = await waitUntilDrained(databaseUrl, drainLimitMs);
  timeline.note('drained', { drainedAfterMs });
  if (drainedAfterMs !== null) await load.finished(FINISH_LIMIT_MS);
  const afterMs =
    drainedAfterMs === null ? [] : await timeCalmExecutions(load, calmTenant, `seed${options.seed}-after`);
  // The small executions send webhooks as well.
  await waitUntilDrained(databaseUrl, FINISH_LIMIT_MS);
  const followers = await load.leave();
  await observer.stop();
  // Work that still goes on would make one ledger newer than the next.
  if (drainedAfterMs === null) await Promise.all(cluster.services.map((service) => service.stop()));
  // A worker that was frozen may still be sending a call.
  await delay(LATE_MS);
  await models.collectAll();

  const leaseMs = options.times.leaseSeconds * 1_000;
  const world: ChaosWorld = {
    run: { from, to, leaseMs, drainLimitMs },
    plan: load.plan,
    submissions: load.submissions,
    cancels: load.cancels,
    endings: [...load.endings, ...sink.endings()],
    followers,
    webhooks: sink.received,
    calls: effects.calls.map(toCallRecord),
    modelRequests: models.records,
    foreignReads: load.foreignReads,
    disturbances: disturbances(injector.inflicted),
    stops: cluster.services.flatMap((service) => service.stops),
    streamOutages: streamOutages(injector.inflicted, options.backend),
    leaseOutages: leaseOutages(injector.inflicted, leaseMs),
    lostTails: lostTails(injector.inflicted),
    calm: { beforeMs, afterMs },
    drainedAfterMs,
    neverReady,
    leaks: await findLeaks(
      cluster,
      logFolder,
      sink.received.map((webhook) => webhook.body),
    ),
    samples: observer.samples,
    unexpectedExits: cluster.services.flatMap((service) => service.unexpectedExits),
    unresponsiveProcesses: cluster.services.flatMap((service) => service.unresponsive),
    longestIdleTransactionMs: observer.longestIdleTransactionMs,
    leftInQueue: await countLeftInQueue(cluster),
    database: await withClient(databaseUrl, readDatabaseLedger),
  };
  const violations = checkWorld(world);
  for (const violation of violations) timeline.note('violation', violation);
  return {
    options,
    world,
    violations,
    faults: injector.inflicted,
    answers: caller.answers,
    repeatedCalls: effects.calls.filter((call) => !call.tookEffect).length,
    mostConnections: observer.mostConnections,
  };
}

function toCallRecord({ input, ...call }: RecordedCall): CallRecord {
  return { ...call, item: input.item };
}

/** Milliseconds that clients take, at most, to see the last endings. */
const FINISH_LIMIT_MS = 20_000;
const LATE_MS = 500;
