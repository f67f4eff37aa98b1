import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, ExecutionWrites, PostgresJournal } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { startBreakableProxy, type BreakableProxy } from '../../../support/services/breakable-proxy.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

/** Query timeout (ms), after which an unanswered connection is given up. */
const QUERY_TIMEOUT_MS = 500;

let world: WorkerWorld;
let proxy: BreakableProxy;
/** Data source of the worker, through the proxy by which tests break its connections. */
let dataSource: DataSource;
beforeAll(async () => {
  world = await WorkerWorld.open();
  proxy = await startBreakableProxy(world.databaseUrl);
  dataSource = await createDataSource({ url: proxy.url, queryTimeoutMs: QUERY_TIMEOUT_MS }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await proxy.close();
  await world.close();
});

/** A model with exactly two answers: a tool call and a final text. */
const askThenAnswer = () =>
  new SequenceModel([
    aModelAnswer({ toolCalls: [aCall('charge', 'c1')] }),
    aModelAnswer({ text: 'charged' }),
  ]);

interface Ran {
  readonly effects: number;
  readonly kinds: readonly string[];
  readonly view: unknown;
}

/** Runs an unsafe call; `before` and `during` break the worker's connections at one point of it. */
async function run(happens: { before?: () => unknown; during?: () => unknown }): Promise<Ran> {
  let effects = 0;
  const charge = aTool('charge', {
    effect: 'unsafe',
    run: async () => {
      effects += 1;
      await happens.during?.();
      return { result: { status: 'success', result: { message: 'charged' } } };
    },
  });
  await world.offer([charge]);
  const { id } = await world.submit();
  await happens.before?.();
  const view = await world.run(id, askThenAnswer(), [charge], {
    journalOf: (claim, retries, clock) =>
      new PostgresJournal(new ExecutionWrites(dataSource, world.endings), claim, clock, retries),
  });
  return { effects, kinds: await kindsOf(id), view };
}

async function kindsOf(id: string): Promise<readonly string[]> {
  const rows = await world.dataSource.query<{ kind: string }[]>(
    'SELECT kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence',
    [id],
  );
  return rows.map((row) => row.kind);
}

const ONCE = {
  effects: 1,
  kinds: [
    'execution_prepared',
    'model_call_completed',
    'tool_call_started',
    'tool_call_settled',
    'model_call_completed',
    'execution_settled',
  ],
  view: expect.objectContaining({ status: 'completed', attempt: 1 }),
};

describe('an attempt goes on, and nothing of it happens twice, when', () => {
  it.each([
    ['the intent of a call', '"tool_call_started"'],
    ['the outcome of a call', '"tool_call_settled"'],
    ['the last write', '"execution_settled"'],
  ])('the answer to %s is lost after it has been committed', async (_what, text) => {
    let swallowed: Promise<void> | undefined;
    const before = () => {
      swallowed = proxy.swallowAnswersAfter(text);
    };
    expect(await run({ before })).toEqual(ONCE);
    await swallowed;
  });

  it('the answer to the last write is lost, and the database is away for a while', async () => {
    const before = () => {
      void proxy.swallowAnswersAfter('"execution_settled"').then(() => {
        proxy.cut();
        setTimeout(() => proxy.restore(), QUERY_TIMEOUT_MS);
      });
    };
    expect(await run({ before })).toEqual(ONCE);
  });

  it('the database is away when a call has taken place', async () => {
    const during = () => {
      proxy.cut();
      setTimeout(() => proxy.restore(), QUERY_TIMEOUT_MS);
    };
    expect(await run({ during })).toEqual(ONCE);
  });

  it('its connections go silent while a call takes place', async () => {
    expect(await run({ during: () => proxy.silence() })).toEqual(ONCE);
  });
});

describe('an attempt whose lease ends while the database is away hands over all that it knows: the next one completes', () => {
  /**
   * Runs an attempt during which the callbacks break the connections, then a second one. The first attempt loses its lease
   * with its first failed write.
   */
  async function runTwice(
    happens: { before?: () => unknown; whenAsked?: () => unknown; during?: () => unknown },
    effect: 'read' | 'unsafe' = 'unsafe',
  ): Promise<Ran> {
    const leases = world.makeLeases();
    let effects = 0;
    const charge = aTool('charge', {
      effect,
      run: () => {
        effects += 1;
        happens.during?.();
        return Promise.resolve({ result: { status: 'success', result: { message: 'charged' } } });
      },
    });
    await world.offer([charge]);
    const { id } = await world.submit();
    happens.before?.();
    const model = askThenAnswer();
    model.onCall = (number) => {
      if (number === 1) happens.whenAsked?.();
    };
    const running = world.run(id, model, [charge], {
      leases,
      journalOf: (claim, retries, clock) => {
        const again = (tries: number) => {
          leases.fenceAll();
          return retries.again(tries);
        };
        return new PostgresJournal(new ExecutionWrites(dataSource, world.endings), claim, clock, { again });
      },
    });
    await expect(running).rejects.toThrow();
    proxy.restore();
    await waitFor(async () => (await world.executions.find('default', id))?.status === 'queued', {
      description: 'the execution to be released',
    });
    await world.dataSource.query('UPDATE execution SET due_at = NULL WHERE id = $1', [id]);
    const view = await world.run(id, model, [charge]);
    return { effects, kinds: await kindsOf(id), view };
  }

  const COMPLETED = { ...ONCE, view: expect.objectContaining({ status: 'completed', attempt: 2 }) };

  it('the outcome of a call', async () => {
    expect(await runTwice({ during: () => proxy.cut() })).toEqual(COMPLETED);
  });

  it('the outcome of a read that began before its intent was written, and what the model said', async () => {
    expect(await runTwice({ whenAsked: () => proxy.silence() }, 'read')).toEqual(COMPLETED);
  });

  it('over that a call never began whose intent was committed', async () => {
    const before = () => {
      void proxy.swallowAnswersAfter('"tool_call_started"').then(() => proxy.cut());
    };
    const [prepared, asked, started, ...rest] = ONCE.kinds;
    const kinds = [prepared, asked, started, 'tool_call_not_begun', started, ...rest];
    expect(await runTwice({ before })).toEqual({ ...COMPLETED, kinds });
  });
});
