import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { parse } from 'libpg-query';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { parseEnv } from '#libs/config';
import { ExecutionClaimStore, ExecutionDispatchStore, findCancelled } from '#libs/persistence';
import { startSimulator } from '../../../../apps/simulator/src/simulator.js';
import { createWorkerApp } from '../../../../apps/worker/src/worker.module.js';
import { judgeStatement, nameStatement } from '../../../support/citus/judge-statement.js';
import { readFunctions, readTenantColumns } from '../../../support/citus/read-catalogue.js';
import { readStatement } from '../../../support/citus/read-statement.js';
import { recordStatements, type StatementRecord } from '../../../support/citus/record-statements.js';
import type { StatementRule } from '../../../support/citus/rules.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import { openWhole } from '../../../support/services/open-whole.js';
import { reservePort } from '../../../support/services/reserve-port.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WebhookReceiver } from '../../../support/services/webhook-receiver.js';
import { startApi, type RunningApi } from '../../api/api-fixture.js';
import { ask } from '../../api/http-client.js';
import { openStream } from '../../api/sse-client.js';
import { DISPATCH_OPTIONS } from '../persistence-world.js';

/** The queue's own connections: its tables move to Redis before they would be distributed. */
const QUEUE_CONNECTIONS = 'capstan-queue';
const TOGETHER = 6;
/** The statement of a worker that ends. */
const LAST = 'writes execution, webhook_delivery';
/** An order, for which the seeded agent calls tools. */
const ORDER = readFileSync(
  join(import.meta.dirname, '../../../../examples/order-entry/texts/01-email-english.txt'),
  'utf8',
);

/** A run from its submit to its webhook, by a real API and worker, with every statement that they send. */
export class RecordedRun {
  private stoppedWorker: Promise<void> | undefined;

  private constructor(
    private readonly api: RunningApi,
    private readonly worker: INestApplicationContext,
    private readonly record: StatementRecord,
    private readonly receiver: WebhookReceiver,
    private readonly end: () => Promise<void>,
  ) {}

  get dataSource(): DataSource {
    return this.api.dataSource;
  }

  static async open(): Promise<RecordedRun> {
    return openWhole(async (begun) => {
      const database = await createSeededDatabase();
      begun({ close: () => database.drop() });
      const simulator = begun(await startSimulator());
      const receiver = begun(await WebhookReceiver.listen());
      const env = {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        DISPATCH_INTERVAL_MS: '100',
        ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
        OPENAI_BASE_URL: `${new URL(simulator.url).origin}/v1`,
        OPENAI_API_KEY: 'simulator',
        TITLES: 'input',
        WEBHOOK_ALLOW_LOOPBACK: 'true',
        WORKER_ROLES: 'execute,webhooks',
        WORKER_PORT: String(await reservePort()),
      };
      const record = recordStatements([QUEUE_CONNECTIONS]);
      begun({
        close: () => {
          record.stop();
          return Promise.resolve();
        },
      });
      const api = await startApi(env);
      begun(api.app);
      const worker: INestApplicationContext = begun(
        await createWorkerApp(parseEnv(env), pino({ level: 'silent' })),
      );
      return new RecordedRun(api, worker, record, receiver, async () => {
        await api.app.close();
        record.stop();
        await receiver.close();
        await simulator.close();
        await database.drop();
      });
    });
  }

  /**
   * Submits runs by every way: with a key and without, in new sessions and in one of several turns, one and several
   * together, waited for and followed, with a webhook. Ends with the worker, when its work is done and all of `names` were
   * seen: statements that come late are recorded, too.
   */
  async perform(names: readonly string[]): Promise<void> {
    const endpoint = { url: this.receiver.url, events: ['execution.completed'] };
    await ask(this.api.url, '/api/webhook-endpoints/', { json: endpoint });
    const first = await this.submit({ prefer: 'wait=60', 'idempotency-key': 'first' });
    await this.submit({ prefer: 'wait=60' }, { input: ORDER });
    await this.submit({ prefer: 'wait=60', 'idempotency-key': 'first' });
    await this.submit({ prefer: 'wait=60' }, { session_uuid: String(first['session_uuid']) });
    await Promise.all(
      Array.from({ length: TOGETHER }, (_, index) =>
        this.submit({ prefer: 'wait=60', 'idempotency-key': `together-${index}` }),
      ),
    );
    const followed = await this.submit({});
    const events = await openStream(this.api.url, `/api/executions/${String(followed['id'])}/events/`);
    await events.rest();
    await this.sendByTimers(String(followed['id']));
    await waitFor(() => this.receiver.received.length >= TOGETHER + 4, { description: 'the webhooks' });
    const before = names.filter((name) => name !== LAST);
    await waitFor(async () => missing(before, await this.brokenRules()).length === 0, {
      description: `every listed statement, of which the run has sent ${this.record.texts.size} so far`,
    });
    await waitFor(() => this.isDone(), { description: 'all executions and deliveries to be over' });
    await this.stopWorker();
  }

  /** Rules broken by statements that name tables with a tenant, by name of the statement. */
  async brokenRules(): Promise<Readonly<Record<string, readonly StatementRule[]>>> {
    const columns = await readTenantColumns(this.dataSource);
    const functions = await readFunctions(this.dataSource, columns);
    const broken = new Map<string, Set<StatementRule>>();
    for (const text of this.record.texts) {
      const statement = readStatement(await parse(text), columns);
      const rules = judgeStatement(statement, functions);
      if (statement.uses.length === 0 || rules.length === 0) continue;
      const name = nameStatement(statement.uses);
      broken.set(name, new Set([...(broken.get(name) ?? []), ...rules]));
    }
    return Object.fromEntries([...broken].map(([name, rules]) => [name, [...rules].sort()]));
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.end();
  }

  private stopWorker(): Promise<void> {
    return (this.stoppedWorker ??= this.worker.close());
  }

  private async isDone(): Promise<boolean> {
    const [row] = await this.dataSource.query<{ done: boolean }[]>(
      `SELECT NOT EXISTS (SELECT FROM execution WHERE tenant_id = $1 AND finished_at IS NULL)
          AND NOT EXISTS (SELECT FROM webhook_delivery WHERE tenant_id = $1 AND status <> 'delivered') AS done`,
      ['default'],
    );
    return row?.done === true;
  }

  /** The statements of timers, which a short run may not need: dispatch, renewal of leases, the look for cancellations. */
  private async sendByTimers(executionId: string): Promise<void> {
    await new ExecutionDispatchStore(this.dataSource).take(DISPATCH_OPTIONS);
    await new ExecutionClaimStore(this.dataSource).renew([{ executionId, token: randomUUID() }], 1_000);
    await findCancelled(this.dataSource, [executionId]);
  }

  private async submit(
    headers: Readonly<Record<string, string>>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const json = { input: 'hello there', ...more };
    const { status, body, text } = await ask(this.api.url, '/api/agents/1/execute/', { json, headers });
    if (status >= 300) throw new Error(`a submit was answered ${status}: ${text}`);
    return body;
  }
}

function missing(names: readonly string[], seen: Readonly<Record<string, unknown>>): readonly string[] {
  return names.filter((name) => !(name in seen));
}
