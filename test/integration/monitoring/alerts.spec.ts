import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { parse } from 'yaml';
import { ModelCallError, ModelHostUnavailableError, type ModelPort } from '#libs/agent-core';
import { ExecutionClaimStore, WebhookEndpointStore } from '#libs/persistence';
import { validateAlerts, validateRules } from '../../support/metrics/validate-alerts.js';
import { settle } from '../api/settle.js';
import { describeWithPromtool, promtool } from '../../support/metrics/promtool.js';
import { insertDatasource, insertDocuments } from '../../support/services/insert-datasource.js';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { CLAIM_OPTIONS } from '../persistence/persistence-world.js';
import { model as charger, silent } from '../worker/charging-world.js';
import { MonitoredService } from './monitored-service.js';

const RULES = join(import.meta.dirname, '../../../monitoring/alerts.yaml');
const BOARD = join(dirname(RULES), 'dashboard.json');
interface Board {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}
const NAMES = (
  parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
/** Alerts that an overloaded machine may fire in addition to those of a fault. */
const SPEED = ['CapstanPoolExhausted', 'CapstanRequestsSlow'];

const answer = (): ScriptedModel => new ScriptedModel([aModelAnswer({ text: 'Here you are.' })]);
const failing = (error: Error): ScriptedModel => new ScriptedModel([error]);

describeWithPromtool('the alert rules, as Prometheus judges them', () => {
  let service: MonitoredService;
  const fired = new Set<string>();

  beforeAll(async () => {
    service = await MonitoredService.open();
  });
  afterAll(() => service.close());

  const query = (sql: string): Promise<unknown> => service.worker.dataSource.query(sql);

  /** Expires the lease and claims the execution for another worker. */
  async function takeOver(id: string): Promise<void> {
    await service.worker.expireLease(id);
    await new ExecutionClaimStore(service.worker.dataSource).claim(id, CLAIM_OPTIONS);
  }

  async function registerReceiver(): Promise<void> {
    const endpoint = { url: 'https://example.test/hook', events: ['execution.completed' as const] };
    await new WebhookEndpointStore(service.worker.dataSource).create('default', endpoint, () => 'sealed');
  }

  /** Faults, each as title, action of one minute, and the alerts that must fire. */
  const faults: [string, () => Promise<unknown>, string[]][] = [
    ['nothing but work that is done', () => service.run(answer()), []],
    [
      'no worker, and work that is not taken',
      async () => {
        await service.loseWorker();
        await service.worker.submit();
        await query(
          `UPDATE execution SET created_at = now() - interval '2 minutes', head_since = now() - interval '2 minutes'`,
        );
      },
      ['CapstanExecutionsWaiting', 'CapstanNoWorkers'],
    ],
    [
      'a worker that dies in the middle of an execution',
      async () => {
        const { id } = await service.worker.submit();
        await takeOver(id);
        await service.worker.expireLease(id);
        await service.runAgain(id, answer());
      },
      ['CapstanWorkersDying'],
    ],
    [
      'an execution whose workers died twice',
      async () => {
        const { id } = await service.worker.submit();
        for (let losses = 0; losses <= 2; losses += 1) await takeOver(id);
      },
      ['CapstanSuspects'],
    ],
    [
      'a worker that is overtaken',
      async () => {
        const { id } = await service.worker.submit();
        const overtaken: ModelPort = {
          call: async () => {
            await takeOver(id);
            return aModelAnswer({ text: 'too late' });
          },
        };
        await service.runAgain(id, overtaken);
      },
      ['CapstanLeasesLost'],
    ],
    [
      'an execution that ends every process it runs in',
      async () => {
        const { id } = await service.worker.submit();
        await query('UPDATE execution SET lost_attempts = 2');
        const isolation = {
          prepare: () => undefined,
          reserve: () => ({
            run: () => Promise.resolve('died' as const),
            release: () => undefined,
          }),
        };
        for (let deaths = 0; deaths < 2; deaths += 1) {
          await service.runAgain(id, answer(), [], { isolation });
          await query(`UPDATE execution SET due_at = NULL WHERE status = 'queued'`);
        }
      },
      ['CapstanExecutionPoisoned', 'CapstanExecutionsFailing', 'CapstanWorkersDying'],
    ],
    [
      'a tool that does not say whether it took effect',
      () => service.run(charger(), [silent()]),
      ['CapstanOutcomesUnknown'],
    ],
    [
      'a model that refuses its calls',
      () => service.run(failing(new ModelCallError({ reason: 'refused', message: 'no', retryable: false }))),
      ['CapstanExecutionsFailing'],
    ],
    [
      'a client that waits for an execution that fails',
      async () => {
        const url = `${service.api.url}/api/agents/1/execute/`;
        const headers = { 'content-type': 'application/json', 'idempotency-key': 'fails' };
        const request = { method: 'POST', body: JSON.stringify({ input: 'hello' }) };
        const { id } = (await (await fetch(url, { ...request, headers })).json()) as { id: string };
        await settle(service.worker.dataSource, id, { status: 'failed' });
        const waited = await fetch(url, { ...request, headers: { ...headers, prefer: 'wait=30' } });
        expect(waited.status).toBe(500);
      },
      [],
    ],
    [
      'a host of a model that is away',
      () => service.run(failing(new ModelHostUnavailableError(1_000))),
      ['CapstanModelHostAway'],
    ],
    [
      'a model that takes half a minute to begin',
      () => {
        let now = 0;
        const slow: ModelPort = {
          call: (_request, onDelta) => {
            now += 30_000;
            onDelta({ kind: 'text', content: 'At last.' });
            return Promise.resolve(aModelAnswer({ text: 'At last.' }));
          },
        };
        return service.run(slow, [], { clock: { now: () => now, monotonic: () => now } });
      },
      ['CapstanFirstDeltaSlow'],
    ],
    [
      'a receiver of webhooks that fails for hours',
      async () => {
        await registerReceiver();
        await service.run(answer());
        await service.deliver(500);
        await query(`UPDATE webhook_delivery SET created_at = now() - interval '1 hour'`);
      },
      ['CapstanWebhooksLate'],
    ],
    [
      'a receiver of webhooks that is gone',
      async () => {
        await registerReceiver();
        await service.run(answer());
        await service.deliver(410);
      },
      ['CapstanWebhooksGivenUp'],
    ],
    [
      'statements that hold the connections of a pool',
      () => Promise.all(Array.from({ length: 12 }, () => service.workerPool.query('SELECT pg_sleep(0.15)'))),
      ['CapstanPoolExhausted'],
    ],
    [
      'a lock that requests wait for',
      async () => {
        const holder = new Client({ connectionString: service.worker.databaseUrl });
        await holder.connect();
        await holder.query('BEGIN');
        await holder.query('LOCK TABLE skill IN ACCESS EXCLUSIVE MODE');
        const held = holder.query('SELECT pg_sleep(1.5)').then(() => holder.query('COMMIT'));
        await fetch(`${service.api.url}/api/skills/`);
        await held;
        await holder.end();
      },
      ['CapstanRequestsSlow'],
    ],
    [
      'documents that no worker takes in',
      () => insertDocuments(service.worker.dataSource, [`due_at = now() - interval '11 minutes'`]),
      ['CapstanDocumentsWaiting'],
    ],
    [
      'a store of files that is not there',
      async () => {
        const datasource_id = await insertDatasource(service.worker.dataSource);
        const answer = await fetch(`${service.api.url}/api/documents/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ datasource_id, text: 'From nine.' }),
        });
        expect(answer.status).toBe(503);
      },
      ['CapstanFileStoreFailing', 'CapstanRequestsFailing'],
    ],
    ['a model that no memory comes of', () => service.learnInVain(), ['CapstanBackgroundGivenUp']],
    [
      'a database that is away',
      async () => {
        service.database.cut();
        for (const path of ['agents', 'skills', 'executions'])
          expect((await fetch(`${service.api.url}/api/${path}/`)).status).toBe(503);
      },
      ['CapstanWorkUnreadable', 'CapstanRequestsFailing'],
    ],
  ];

  it.each(faults)('after %s, just these fire', async (_fault, inflict, alerts) => {
    await service.reset();
    const before = await service.scrape();
    await inflict();
    const after = await service.scrape();
    const ignored = SPEED.filter((name) => !alerts.includes(name));
    await validateAlerts({ rules: RULES, before, after, alerts, ignored });
    for (const alert of alerts) fired.add(alert);
  });

  it('leave none that no fault fires', () => {
    expect([...fired].sort()).toEqual([...NAMES].sort());
  });

  it('stand beside a board that asks what Prometheus can answer', async () => {
    const board = JSON.parse(readFileSync(BOARD, 'utf8')) as Board;
    const asked = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(asked.length).toBeGreaterThan(30);
    // Grafana replaces this variable by an interval.
    const rules = asked.map((expr, index) => ({
      record: `board:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    await validateRules({ groups: [{ name: 'board', rules }] });
  });

  it('are rules, and metrics have names and types, as Prometheus wants them', async () => {
    expect(await promtool(['check', 'rules', RULES])).toContain(`${NAMES.length} rules found`);
    service.database.restore();
    for (const url of service.urls) await promtool(['check', 'metrics'], await (await fetch(url)).text());
  });
});
