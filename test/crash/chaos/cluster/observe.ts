import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessSample } from '../ledgers/chaos-world.js';
import type { ChaosCluster } from './chaos-cluster.js';
import { withClient } from './postgres-server.js';
import { openDescriptors, residentBytes } from './processes-of.js';

const SAMPLE_EVERY_MS = 3_000;
const LOOK_EVERY_MS = 500;

/** Samples the resources that processes and the database use during a run. */
export class Observer {
  readonly samples: ProcessSample[] = [];
  longestIdleTransactionMs = 0;
  mostConnections = 0;
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly cluster: ChaosCluster) {}

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      for (const { name, pid } of this.cluster.services) {
        const bytes = pid === null ? null : residentBytes(pid);
        if (pid !== null && bytes !== null)
          this.samples.push({ name, residentBytes: bytes, descriptors: openDescriptors(pid) });
      }
      await this.askDatabase().catch(() => undefined);
      await delay(SAMPLE_EVERY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async askDatabase(): Promise<void> {
    await withClient(this.cluster.targets.databaseUrl, async (client) => {
      const { rows } = await client.query<{ idle: number; connections: number }>(
        `SELECT coalesce(max(extract(epoch FROM now() - state_change) * 1000)
                         FILTER (WHERE state = 'idle in transaction'), 0)::float8 AS idle,
                count(*)::int AS connections
           FROM pg_stat_activity WHERE datname = current_database()`,
      );
      this.longestIdleTransactionMs = Math.max(this.longestIdleTransactionMs, rows[0]?.idle ?? 0);
      this.mostConnections = Math.max(this.mostConnections, rows[0]?.connections ?? 0);
    });
  }
}

/** Milliseconds until no work is open; null if some still is after `limitMs`. */
export async function waitUntilDrained(databaseUrl: string, limitMs: number): Promise<number | null> {
  const begunAt = Date.now();
  while (Date.now() - begunAt < limitMs) {
    const open = await countOpen(databaseUrl).catch(() => null);
    if (open === 0) return Date.now() - begunAt;
    await delay(LOOK_EVERY_MS);
  }
  return null;
}

function countOpen(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM execution WHERE status IN ('queued', 'running', 'requires_action'))::int
            + (SELECT count(*) FROM webhook_delivery WHERE status = 'pending')::int AS open`,
    );
    return rows[0]?.open ?? 0;
  });
}

/** Jobs in PostgreSQL, or keys in Redis. */
export async function countLeftInQueue({ targets }: ChaosCluster): Promise<number> {
  if (targets.redis !== null) return targets.redis.keyCount();
  return withClient(targets.databaseUrl, async (client) => {
    const { rows } = await client.query<{ jobs: number }>('SELECT count(*)::int AS jobs FROM bullmq.job');
    return rows[0]?.jobs ?? 0;
  });
}

/** The places where a secret stands in clear text: logs, all tables, Redis, and the texts `sent` out. */
export async function findLeaks(
  { secrets, targets }: ChaosCluster,
  logFolder: string,
  sent: readonly string[],
): Promise<string[]> {
  const places = new Map<string, string>();
  for (const file of readdirSync(logFolder))
    places.set(`log ${file}`, readFileSync(join(logFolder, file), 'utf8'));
  if (targets.redis !== null) places.set('Redis', (await targets.redis.dump()).toString('latin1'));
  places.set('webhooks', sent.join('\n'));
  for (const [table, text] of await readAllTables(targets.databaseUrl)) places.set(`table ${table}`, text);
  return [...places].flatMap(([place, text]) =>
    [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => `${what} in ${place}`),
  );
}

function readAllTables(databaseUrl: string): Promise<[string, string][]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: [string, string][] = [];
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
      texts.push([name, found.rows.map((row) => row.text).join('\n')]);
    }
    return texts;
  });
}
