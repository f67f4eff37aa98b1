import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../../../support/services/reserve-port.js';
import { createApiKey } from '../../../../apps/migrate/src/api-keys.js';
import { migrate } from '../../../../apps/migrate/src/migrate.js';
import { seed } from '../../../../apps/migrate/src/seed.js';
import { programFile } from '../../../../scripts/build/programs.ts';
import { POISON_TOOLS } from '../../programs/poison-tools.js';
import { CHAOS_WORKER } from '../../services/crash-programs.js';
import { HELPER } from '../plan/conversation-plan.js';
import { WATCHED_TOOLS } from '../../programs/watched-tools.js';
import type { Tenant } from '../clients/load-client.js';
import type { Timeline } from '../ledgers/timeline.js';
import { VICTIMS, type Backend, type Victim } from '../plan/fault.js';
import type { Control } from '../plan/control-plan.js';
import type { Times } from '../plan/times.js';
import { DATABASE, DatabaseFaults } from './database-faults.js';
import type { Guardian } from './guardian.js';
import { SmallDisk } from './small-disk.js';
import { startBreakableProxy } from '../../../support/services/breakable-proxy.js';
import type { Targets } from './inflict.js';
import { PostgresServer, withClient } from './postgres-server.js';
import { RedisServer } from './redis-server.js';
import { SupervisedService } from './supervised-service.js';

export interface ClusterOptions {
  readonly backend: Backend;
  readonly control: Control | null;
  readonly times: Times;
  /** The folder with `dist`. */
  readonly root: string;
  /** The folder for data; other accounts need the right to traverse it. */
  readonly home: string;
  readonly logFolder: string;
  readonly effectServerUrl: string;
  readonly timeline: Timeline;
  readonly guardian: Guardian;
}

const TENANTS = ['default', 'neighbour'] as const;
const SCOPES = ['executions:write', 'executions:read', 'webhooks:write', 'audit:read'];
const MODEL = 'sim-script';
const STOP_SLACK_MS = 15_000;
/** Megabytes: a tool that allocates without end hits this limit before the machine runs out of memory. */
const HEAP_MEGABYTES = '192';

/** Which roles each worker process has. */
const ROLES: Partial<Record<Victim, string>> = {
  'worker-1': 'execute',
  'worker-2': 'execute',
  webhooks: 'webhooks',
  housekeeping: 'housekeeping',
};

/** The whole service with a database, a queue and a model of its own. */
export class ChaosCluster {
  private constructor(
    readonly targets: Targets,
    readonly simulatorUrl: string,
    readonly apiUrls: readonly [string, string],
    readonly tenants: readonly [Tenant, Tenant],
    /** The secrets that must not appear in clear text, by description. */
    readonly secrets: Map<string, string>,
    private readonly simulator: SupervisedService,
  ) {}

  static async start(options: ClusterOptions): Promise<ChaosCluster> {
    const { backend, home, logFolder, guardian, times } = options;
    mkdirSync(logFolder, { recursive: true });
    guardian.guard({ dataDirectory: join(home, 'postgres', 'data') });
    guardian.guard({ mountPoint: join(home, 'disk') });
    const [postgres, redis] = await Promise.all([
      PostgresServer.start(join(home, 'postgres')),
      backend === 'redis' ? RedisServer.start(home, guardian) : null,
    ]);
    const disk = SmallDisk.mount(join(home, 'disk'));
    const databaseUrl = await createDatabase(postgres.url, disk);
    const postgresProxy = await startBreakableProxy(serviceUrl(databaseUrl));
    const redisProxy = redis && (await startBreakableProxy(redis.url));
    const tenants: readonly [Tenant, Tenant] = [
      await createTenant(databaseUrl, TENANTS[0], times),
      await createTenant(databaseUrl, TENANTS[1], times),
    ];
    const secrets = new Map([
      ...tenants.map(({ tenantId, apiKey }): [string, string] => [`API key of ${tenantId}`, apiKey]),
      ['key of the model provider', `sk-${randomBytes(16).toString('hex')}`],
      ['encryption key', randomBytes(32).toString('base64')],
      ['database password', SERVICE_PASSWORD],
    ]);
    const simulatorPort = await reservePort();
    const ports = await portsFor(VICTIMS);
    const env = {
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      AUTH: 'api-key',
      PROJECT: process.env['PROJECT'] ?? '',
      DATABASE_URL: postgresProxy.url,
      DATABASE_POOL_SIZE: '6',
      ...(redisProxy && { REDIS_URL: redisProxy.url }),
      OPENAI_BASE_URL: `http://127.0.0.1:${simulatorPort}/v1`,
      OPENAI_API_KEY: secrets.get('key of the model provider') ?? '',
      ENCRYPTION_KEY: `chaos:${secrets.get('encryption key') ?? ''}`,
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      EXECUTION_TIMEOUT_SECONDS: String(times.executionTimeoutSeconds),
      LEASE_SECONDS: String(times.leaseSeconds),
      WORKER_HANG_LIMIT_SECONDS: String(times.hangLimitSeconds),
      DATABASE_STATEMENT_SECONDS: String(times.statementSeconds),
      CONNECTION_PING_SECONDS: String(times.pingSeconds),
      ISOLATION_HEAP_MB: HEAP_MEGABYTES,
      // Titles from the model would replay the script that the input holds.
      TITLES: 'input',
      SHUTDOWN_GRACE_SECONDS: String(times.shutdownGraceSeconds),
      // Few slots, so that tenants compete for them.
      WORKER_CONCURRENCY: '10',
      DISPATCH_INTERVAL_MS: String(times.dispatchIntervalMs),
      // Without housekeeping nothing else may find lost executions.
      DISPATCH_AGAIN_SECONDS: options.control === 'reconciler' ? '3600' : String(times.dispatchAgainSeconds),
      QUEUE_TIMES: times.queue,
      EFFECT_SERVER_URL: options.effectServerUrl,
      ...(options.control !== null &&
        options.control !== 'reconciler' && { WITHOUT_PROTECTION: options.control }),
    };
    const make = (name: string, program: string, readyUrl: string, own: Record<string, string>) =>
      new SupervisedService({
        name,
        program: join(options.root, program),
        env: own,
        readyUrl,
        logFolder,
        timeline: options.timeline,
        guardian,
        hangLimitMs: times.hangLimitSeconds * 1_000,
        stopWithinMs: times.shutdownGraceSeconds * 1_000 + STOP_SLACK_MS,
      });
    const makeVictim = (name: Victim): [Victim, SupervisedService | null] => {
      if (name === 'housekeeping' && options.control === 'reconciler') return [name, null];
      const port = String(ports.get(name));
      const readyUrl = `http://127.0.0.1:${port}/readyz`;
      const roles = ROLES[name];
      if (roles === undefined)
        return [name, make(name, programFile('api'), readyUrl, { ...env, PORT: port })];
      const own = { ...env, WORKER_ROLES: roles, WORKER_PORT: port, HEAP_MEGABYTES };
      return [name, make(name, CHAOS_WORKER, readyUrl, own)];
    };
    const services = Object.fromEntries(VICTIMS.map(makeVictim)) as Targets['services'];
    const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
    const simulator = make('simulator', programFile('simulator'), `${simulatorUrl}/__control/health`, {
      SIMULATOR_HOST: '127.0.0.1',
      SIMULATOR_PORT: String(simulatorPort),
    });
    const cluster = new ChaosCluster(
      {
        services,
        postgres,
        postgresProxy,
        database: new DatabaseFaults(databaseUrl),
        disk,
        redis,
        redisProxy,
        databaseUrl,
      },
      simulatorUrl,
      [`http://127.0.0.1:${ports.get('api-1') ?? 0}`, `http://127.0.0.1:${ports.get('api-2') ?? 0}`],
      tenants,
      secrets,
      simulator,
    );
    await Promise.all([simulator, ...cluster.services].map((service) => service.start()));
    return cluster;
  }

  get services(): SupervisedService[] {
    return Object.values(this.targets.services).filter((service) => service !== null);
  }

  /** Waits for all services, and returns the names of those that did not become ready after the last fault. */
  async namesOfUnready(): Promise<string[]> {
    const waiting = await Promise.allSettled(this.services.map((service) => service.waitUntilReady()));
    return this.services.filter((_, index) => waiting[index]?.status === 'rejected').map(({ name }) => name);
  }

  /** Asks all services to stop; the guardian ends processes that ignore it or did not start properly. */
  async stop(): Promise<void> {
    await Promise.all([this.simulator, ...this.services].map((service) => service.stop()));
    const { postgres, postgresProxy, redis, redisProxy } = this.targets;
    await Promise.all([redisProxy?.close(), postgresProxy.close()]);
    await Promise.all([redis?.stop(), postgres.stop()]);
  }
}

const SERVICE_ROLE = 'capstan';
const SERVICE_PASSWORD = randomBytes(16).toString('hex');

/** Creates a database that the service's role owns; returns its URL for the administrator. */
async function createDatabase(serverUrl: string, disk: SmallDisk | null): Promise<string> {
  await withClient(serverUrl, async (client) => {
    await client.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN PASSWORD '${SERVICE_PASSWORD}'`);
    if (disk) await client.query(`CREATE TABLESPACE small LOCATION '${disk.directory}'`);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${SERVICE_ROLE} ${disk ? 'TABLESPACE small' : ''}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${DATABASE}`;
  await migrate(serviceUrl(url.toString()));
  await withClient(url.toString(), (client) => client.query(CLAIM_LOG_SQL));
  return url.toString();
}

function serviceUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = SERVICE_ROLE;
  url.password = SERVICE_PASSWORD;
  return url.toString();
}

/** Logs every claim with its owner and time, because the `execution` row keeps the last one only. */
const CLAIM_LOG_SQL = `
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.claim (number bigserial, execution_id uuid, tenant_id text, attempt int, owner text,
                            at timestamptz DEFAULT clock_timestamp());
  CREATE FUNCTION chaos.note_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO chaos.claim (execution_id, tenant_id, attempt, owner)
      VALUES (NEW.id, NEW.tenant_id, NEW.attempt, NEW.lease_owner);
      RETURN NULL;
    END $$;
  CREATE TRIGGER note_claim AFTER UPDATE ON execution FOR EACH ROW
    WHEN (NEW.attempt > OLD.attempt) EXECUTE FUNCTION chaos.note_claim()`;

/**
 * Creates an agent with the watched tools, the poison tools and a second agent to call. The second one has the watched tools
 * and plays the scripts in its inputs. Creates an API key to run it.
 */
async function createTenant(databaseUrl: string, tenantId: string, times: Times): Promise<Tenant> {
  await seed(databaseUrl, tenantId, { provider: 'openai', model: MODEL });
  const agentId = await withClient(databaseUrl, async (client) => {
    const timeouts = JSON.stringify({ first_byte_timeout_seconds: times.firstByteSeconds });
    await client.query('UPDATE llm SET credentials = $2 WHERE tenant_id = $1', [tenantId, timeouts]);
    const watched = Object.values(WATCHED_TOOLS);
    const called = await client.query<{ id: number }>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools)
       SELECT tenant_id, $2, usecase_type, llm_id, 'Be of help.', $3 FROM agent
        WHERE id = (SELECT min(id) FROM agent WHERE tenant_id = $1) RETURNING id`,
      [tenantId, HELPER, JSON.stringify({ builtin: watched })],
    );
    const agents = called.rows.map(({ id }) => ({ agent: id, name: HELPER, description: 'Helps.' }));
    const { rows } = await client.query<{ id: number }>(
      `UPDATE agent SET tools = $2, system_prompt = 'Be brief.'
        WHERE id = (SELECT min(id) FROM agent WHERE tenant_id = $1) RETURNING id`,
      [tenantId, JSON.stringify({ builtin: [...watched, ...POISON_TOOLS], agents })],
    );
    return rows[0]?.id ?? 0;
  });
  return {
    tenantId,
    agentId,
    apiKey: await createApiKey(databaseUrl, { tenantId, name: 'chaos', scopes: SCOPES }),
  };
}

async function portsFor(names: readonly Victim[]): Promise<ReadonlyMap<Victim, number>> {
  const ports = new Map<Victim, number>();
  for (const name of names) {
    // `reservePort` does not return the same port twice within seconds.
    const port = await reservePort();
    ports.set(name, port);
  }
  return ports;
}
