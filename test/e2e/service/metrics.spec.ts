import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort } from '../../support/services/reserve-port.js';
import { Client } from 'pg';
import { WATCHED_TOOLS } from '../../crash/programs/watched-tools.js';
import { CRASH_WORKER } from '../../crash/services/crash-programs.js';
import { EffectServer } from '../../crash/services/effect-server.js';
import { offerWatchedTools } from '../../crash/services/offer-watched-tools.js';
import { MetricSamples, readMetrics, type Labels } from '../../support/metrics/read-metrics.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';

const METRIC = /\b(?:capstan|nodejs|process)_\w+/g;
const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };
const CHARGE = {
  name: WATCHED_TOOLS.unsafe,
  arguments: { item: 'roma', delay_ms: null, fail: null },
};
const PRICES = { currency: 'USD', input: '1.25', cached_input: '0.125', output: '10', as_of: '2026-01-01' };
const USAGE = { input_tokens: 1_234, cached_tokens: 200, output_tokens: 77, reasoning_tokens: 11 };

describe('the metrics of all processes, with the queue in PostgreSQL', () => {
  sums('postgres');
});
describeWithRedis('the metrics of all processes, with the queue in Redis', () => {
  sums('redis');
});

/** After a run with each kind of event, the metrics agree with the database. */
function sums(backend: QueueBackend): void {
  let effects: EffectServer;
  let receiver: WebhookReceiver;
  let deployment: Deployment;
  let database: Client;
  let workers: ServiceProcess[];
  let api: ApiClient;
  let all: MetricSamples;

  beforeAll(async () => {
    [effects, receiver] = await Promise.all([EffectServer.listen(), WebhookReceiver.listen()]);
    const metricsPort = await reservePort();
    const settings = {
      EFFECT_SERVER_URL: effects.url,
      LOG_LEVEL: 'info',
      DEFAULT_MODEL: 'sim-script',
      // Only a claim finds a suspect.
      HANDOVER: 'queue',
    };
    deployment = await Deployment.open(backend, settings);
    await offerWatchedTools(deployment.databaseUrl);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query('UPDATE llm SET pricing = $1', [JSON.stringify(PRICES)]);
    const started = await deployment.startApi({ METRICS_PORT: String(metricsPort) });
    api = new ApiClient(started.url);
    await api.post('/api/webhook-endpoints/', { url: receiver.url, events: ['execution.completed'] });
    await runEverything();
    const urls = [`http://127.0.0.1:${metricsPort}`, ...workers.map(({ url }) => url)];
    all = await readWhenCounted(urls);
  });
  afterAll(async () => {
    await database.end();
    await deployment.close();
    await Promise.all([effects.close(), receiver.close()]);
  });

  async function runEverything(): Promise<void> {
    // No worker runs yet, so the execution is cancelled before it begins.
    const unstarted = await api.submit({ input: scripted({ text: 'never' }) });
    await api.post(`/api/executions/${unstarted.id}/cancel/`, {});
    workers = await Promise.all([1, 2].map(() => deployment.startWorker({}, CRASH_WORKER)));
    const failing = { kind: 'unauthorized' };
    // The charge is abandoned while it runs, so its outcome is unknown.
    effects.beforeAnswer = async ({ executionId }) => {
      await api.post(`/api/executions/${executionId}/cancel/`, {});
      await new Promise(() => undefined);
    };
    const inputs = [
      scripted({ calls: [SEARCH, SEARCH], usage: USAGE }, { text: 'here you are', usage: USAGE }),
      scripted({
        text: 'at the second try',
        faults: [{ on: { first: 1 }, fault: { kind: 'server_error' } }],
      }),
      scripted({ text: 'nobody knows what it has cost', usage: null }),
      scripted({ text: 'too long', end: { status: 'incomplete', reason: 'max_output_tokens' } }),
      scripted({ faults: [{ on: { every: 1 }, fault: failing }] }),
      scripted({ calls: [CHARGE] }, { text: 'never' }),
    ];
    const plain = await Promise.all(inputs.map((input) => api.submit({ input })));
    for (const { id } of plain) await api.settled(id);
    // Each later execution is a suspect at once, so that metrics of an isolated process count as well.
    await database.query('ALTER TABLE execution ALTER lost_attempts SET DEFAULT 2');
    const suspect = await api.submit({
      input: scripted({ calls: [SEARCH] }, { text: 'from afar', usage: USAGE }),
    });
    expect(await api.settled(suspect.id, 60_000)).toMatchObject({ status: 'completed' });
    await waitFor(async () => (await pending()) === 0, { description: 'webhooks and titles to be done' });
  }

  async function pending(): Promise<number> {
    return one(`SELECT (SELECT count(*) FROM webhook_delivery WHERE status = 'pending')
                     + (SELECT count(*) FROM session_title WHERE title IS NULL)`);
  }

  async function one(sql: string): Promise<number> {
    const { rows } = await database.query<Record<string, string | null>>(sql);
    return Number(Object.values(rows[0] ?? {})[0]);
  }

  /** Waits for the metrics, which follow a commit: the count of an attempt or a delivery comes last. */
  async function readWhenCounted(urls: readonly string[]): Promise<MetricSamples> {
    const attempts = await one('SELECT sum(attempt) FROM execution');
    const deliveries = await one('SELECT count(*) FROM webhook_attempt');
    const counted = async (): Promise<MetricSamples | null> => {
      const seen = await readAll(urls);
      const isDone =
        seen.sum('capstan_attempts_total') >= attempts &&
        seen.sum('capstan_webhook_attempts_total') >= deliveries;
      return isDone ? seen : null;
    };
    return waitFor(counted, { description: 'the last attempt to be counted' });
  }

  /** The sum over all instances, as Prometheus computes it. */
  async function readAll(urls: readonly string[]): Promise<MetricSamples> {
    const each = await Promise.all(urls.map((url) => readMetrics(`${url}/metrics`)));
    return new MetricSamples(
      each.map(({ text }) => text).join('\n'),
      each.flatMap(({ samples }) => samples),
    );
  }

  it.each<[string, Labels, string]>([
    ...['completed', 'incomplete', 'failed', 'cancelled'].map((status): [string, Labels, string] => [
      'capstan_executions_settled_total',
      { status },
      `SELECT count(*) FROM execution WHERE status = '${status}'`,
    ]),
    ['capstan_execution_duration_seconds_count', {}, 'SELECT count(*) FROM execution WHERE attempt > 0'],
    ['capstan_execution_wait_seconds_count', {}, 'SELECT count(*) FROM execution WHERE attempt > 0'],
    ['capstan_attempts_total', {}, 'SELECT sum(attempt) FROM execution'],
    ['capstan_attempts_total', { ending: 'settled' }, 'SELECT count(*) FROM execution WHERE attempt > 0'],
    ['capstan_model_input_tokens_total', {}, 'SELECT sum(input_tokens) FROM usage_log'],
    ['capstan_model_cached_input_tokens_total', {}, 'SELECT sum(cached_input_tokens) FROM usage_log'],
    ['capstan_model_output_tokens_total', {}, 'SELECT sum(output_tokens) FROM usage_log'],
    ['capstan_model_reasoning_tokens_total', {}, 'SELECT sum(reasoning_tokens) FROM usage_log'],
    ['capstan_model_calls_total', { model: 'sim-script' }, 'SELECT count(*) FROM usage_log'],
    ...['known', 'failed', 'unknown'].map((state): [string, Labels, string] => [
      'capstan_model_calls_total',
      { state },
      `SELECT count(*) FROM usage_log WHERE state = '${state}'`,
    ]),
    ['capstan_model_unpriced_calls_total', {}, 'SELECT count(*) FROM usage_log WHERE cost_usd IS NULL'],
    ...['succeeded', 'outcome_unknown'].map((outcome): [string, Labels, string] => [
      'capstan_tool_calls_total',
      { outcome },
      `SELECT count(*) FROM run_step WHERE status = '${outcome}'`,
    ]),
    ['capstan_tool_calls_total', {}, 'SELECT count(*) FROM run_step'],
    ['capstan_webhook_attempts_total', {}, 'SELECT count(*) FROM webhook_attempt'],
    [
      'capstan_webhook_lag_seconds_count',
      {},
      `SELECT count(*) FROM webhook_delivery WHERE status = 'delivered'`,
    ],
  ])('%s %j is what the database holds', async (name, labels, sql) => {
    const stored = await one(sql);
    expect(stored).toBeGreaterThan(0);
    expect(all.sum(name, labels)).toBe(stored);
  });

  it('claims that began an attempt are as many as attempts, and one of them was of a suspect', async () => {
    const claims = (outcome: string): number => all.sum('capstan_claims_total', { outcome });
    expect(claims('suspect')).toBe(1);
    expect(claims('claimed') + claims('assigned') + claims('suspect')).toBe(
      await one('SELECT sum(attempt) FROM execution'),
    );
  });

  it('the cost is what the database holds, to the millionth of a cent', async () => {
    const stored = await one('SELECT sum(cost_usd) FROM usage_log');
    expect(stored).toBeGreaterThan(0);
    expect(all.sum('capstan_model_cost_dollars_total')).toBeCloseTo(stored, 8);
  });

  it('queued work is reported by every worker with housekeeping, and board and alerts query nothing else', () => {
    const depths = all.of('capstan_queue_depth');
    expect(depths.map(({ labels }) => labels['kind'])).toEqual(
      expect.arrayContaining(['execution', 'webhook', 'title', 'memory']),
    );
    expect(all.of('capstan_worker_places').map(({ value }) => value)).toEqual([100, 100]);
    const asked = ['alerts.yaml', 'dashboard.json'].flatMap(
      (file) =>
        readFileSync(join(import.meta.dirname, '../../../monitoring', file), 'utf8').match(METRIC) ?? [],
    );
    expect(new Set(asked).size).toBeGreaterThan(30);
    expect([...new Set(asked)].filter((name) => !all.names.has(name))).toEqual([]);
  });

  it('no id and no tenant is in any of it, and the series of one process are few', async () => {
    const { rows } = await database.query<{ id: string; session_id: string }>(
      'SELECT id, session_id FROM execution',
    );
    for (const { id, session_id } of rows) {
      expect(all.text).not.toContain(id);
      expect(all.text).not.toContain(session_id);
    }
    expect(all.text).not.toMatch(/tenant="/);
    for (const { url } of workers)
      expect((await readMetrics(`${url}/metrics`)).samples.length).toBeLessThan(600);
  });

  it('each execution that ran is one line of a log, with its ids, times, tokens and cost', async () => {
    const lines = workers
      .flatMap(({ log }) => log.split('\n'))
      .filter((line) => line.includes('"execution settled"'))
      .map(
        (line) => JSON.parse(line) as { executionId: string; inputTokens: number; costUsd: string | null },
      );
    const { rows } = await database.query<{ id: string; tokens: number; cost: string | null }>(
      `SELECT id, (usage ->> 'input_tokens')::int AS tokens, usage ->> 'total_cost_usd' AS cost
         FROM execution WHERE attempt > 0`,
    );
    const stored = rows.map(({ id, tokens, cost }) => `${id} ${tokens} ${cost}`);
    expect(lines.map((line) => `${line.executionId} ${line.inputTokens} ${line.costUsd}`).sort()).toEqual(
      stored.sort(),
    );
    expect(lines[0]).toMatchObject({
      level: 'info',
      tenantId: 'default',
      agentId: 1,
      attempt: 1,
      waitMs: expect.any(Number),
      totalMs: expect.any(Number),
    });
  });
}
