import { describe, expect, it } from '@jest/globals';
import {
  defineAgent,
  defineDomain,
  defineStagedChange,
  defineTool,
  ToolFailure,
  ToolOutcomeUnknown,
  type Database,
  type ToolOptions,
} from '#libs/kit';
import { z } from 'zod';
import { call, killAtEveryCommit, testAgent } from './agent-testing.js';

const amount = z.object({ amount: z.number() });

/** A bank that remembers payments, and keys if it is given any. */
class Bank {
  readonly payments: number[] = [];
  private readonly keys = new Set<string>();

  pay(amount: number, key?: string): void {
    if (key !== undefined && this.keys.has(key)) return;
    if (key !== undefined) this.keys.add(key);
    this.payments.push(amount);
  }
}

function charging(given: Pick<ToolOptions<typeof amount>, 'effect' | 'run' | 'onUnknown' | 'approval'>) {
  const charge = defineTool({ name: 'charge', description: 'Charges.', input: amount, ...given });
  const balance = defineTool({
    name: 'balance',
    description: 'Reads the balance.',
    input: z.object({}),
    effect: 'read',
    run: () => ({ balance: 10 }),
  });
  const cashier = defineAgent({ name: 'cashier', instruction: 'You charge.', tools: [charge, balance] });
  return { cashier, model: [call(balance, {}), call(charge, { amount: 3 }), 'Done.'] };
}

describe('run of an agent in memory', () => {
  it('answers its outcome, and its calls with their effects', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'unsafe',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    expect(await testAgent(cashier, { model, effects: () => bank.payments })).toEqual({
      outcome: { status: 'completed', text: 'Done.' },
      calls: [
        {
          tool: 'balance',
          input: {},
          status: 'succeeded',
          output: '{"status":"success","result":{"balance":10}}',
          error: null,
          effects: [],
        },
        {
          tool: 'charge',
          input: { amount: 3 },
          status: 'succeeded',
          output: '{"status":"success","result":{"message":"Done."}}',
          error: null,
          effects: [3],
        },
      ],
      staged: [],
      data: {},
    });
  });

  it('refuses arguments that do not fit, as the service does', async () => {
    const { cashier } = charging({ effect: 'unsafe', run: () => null });
    const model = [{ tool: 'charge', input: { amount: 'three' } }, 'Sorry.'];
    const { calls } = await testAgent(cashier, { model });
    expect(calls).toMatchObject([{ status: 'refused', output: expect.stringMatching(/amount/) }]);
  });

  it.each([
    [new ToolFailure('no money'), { status: 'succeeded', output: expect.stringContaining('no money') }],
    [new Error('boom'), { status: 'failed', error: 'Error: boom' }],
    [new ToolOutcomeUnknown('cut off'), { status: 'outcome_unknown' }],
  ])('shows a call whose tool throws %s', async (thrown, expected) => {
    const { cashier, model } = charging({
      effect: 'unsafe',
      run: () => {
        throw thrown;
      },
    });
    const { calls } = await testAgent(cashier, { model });
    expect(calls[1]).toMatchObject(expected);
  });

  it('asks the person of the test for approval', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'unsafe',
      approval: 'always',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    const asked: unknown[] = [];
    const approve = (given: unknown): boolean => {
      asked.push(given);
      return false;
    };
    const { calls } = await testAgent(cashier, { model, approve });
    expect(asked).toEqual([{ tool: 'charge', input: { amount: 3 } }]);
    expect(calls[1]).toMatchObject({ status: 'refused' });
    expect(bank.payments).toEqual([]);
  });

  it('answers the changes and the data of a domain, and lets its tools ask the database', async () => {
    const note = defineTool({
      name: 'note',
      description: 'Notes.',
      input: z.object({ text: z.string() }),
      effect: 'idempotent',
      run: async ({ text }, { stage, bake, database }) => {
        const [row] = await database.query<{ notes: number }>('SELECT 1');
        stage('note.kept', { text });
        bake({ notes: (row?.notes ?? 0) + 1 });
      },
    });
    const notes = defineDomain({
      name: 'notes',
      tools: [note],
      messageData: { stored: { notes: z.number() } },
      stagedChanges: {
        'note.kept': defineStagedChange({
          data: z.object({ text: z.string() }),
          apply: () => Promise.reject(new Error('never applied in a test')),
        }),
      },
    });
    const writer = defineAgent({ name: 'writer', instruction: 'You note.', tools: [note] });
    const database: Database = {
      query: <Row>() => Promise.resolve([{ notes: 4 }] as Row[]),
      transaction: (work) => work(database),
    };
    const options = { model: [call(note, { text: 'milk' }), 'Done.'], database };
    expect(await testAgent(writer, { ...options, domain: notes })).toMatchObject({
      outcome: { status: 'completed' },
      staged: [{ kind: 'note.kept', data: { text: 'milk' } }],
      data: { notes: 5 },
    });
    const { calls } = await testAgent(writer, options);
    expect(calls[0]).toMatchObject({ status: 'failed' });
  });

  it('rejects a script that ends too early, with the number of the answer', async () => {
    const { cashier, model } = charging({ effect: 'unsafe', run: () => null });
    await expect(testAgent(cashier, { model: model.slice(0, 1) })).rejects.toThrow(
      'the agent asks its model for answer 2, and `model` of the test has 1',
    );
  });

  it('rejects an unusable tool, with the field', async () => {
    const { cashier, model } = charging({ effect: 'unsafe', run: () => null });
    const odd = {
      ...cashier,
      tools: (cashier.tools ?? []).map((tool) => ({ ...tool, limits: { timeoutMs: 0 } })),
    };
    await expect(testAgent(odd, { model })).rejects.toThrow(/"charge".*timeoutMs/);
  });
});

describe('an agent killed at every commit', () => {
  it('catches an idempotent tool that does not pass its key on', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'idempotent',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    const { tools, faults } = await killAtEveryCommit(cashier, { model, effects: () => bank.payments });
    expect(tools['charge']?.twice.length).toBeGreaterThan(0);
    expect(faults).toEqual([expect.stringMatching(/"charge" is declared `idempotent`.*twice: 3/)]);
  });

  it('accepts an idempotent tool that passes its key on', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'idempotent',
      run: ({ amount }, { idempotencyKey }) => {
        bank.pay(amount, idempotencyKey);
      },
    });
    const { tools, faults, outcomes, crashes } = await killAtEveryCommit(cashier, {
      model,
      effects: () => bank.payments,
    });
    expect(faults).toEqual([]);
    expect(tools['charge']).toMatchObject({ effects: 1, twice: [], unknown: [] });
    expect(tools['charge']?.repeated).toBeGreaterThan(0);
    expect(outcomes).toEqual({ completed: crashes });
  });

  it('judges requests of the guarded fetch by their Idempotency-Key', async () => {
    const run: ToolOptions<typeof amount>['run'] = async (body, { fetch, idempotencyKey }) => {
      const headers = { 'idempotency-key': idempotencyKey };
      await fetch('https://bank.example/pay', { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const careless: typeof run = async (body, { fetch }) => {
      await fetch('https://bank.example/pay', { method: 'POST', body: JSON.stringify(body) });
    };
    const faultsOf = async (tried: typeof run) => {
      const { cashier, model } = charging({ effect: 'idempotent', run: tried });
      return (await killAtEveryCommit(cashier, { model, fetch: () => Response.json({}) })).faults;
    };
    expect(await faultsOf(run)).toEqual([]);
    expect(await faultsOf(careless)).toEqual([
      expect.stringMatching(/twice: POST https:\/\/bank\.example\/pay/),
    ]);
  });

  it('never runs an unsafe call twice, and counts the calls in doubt', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'unsafe',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    const { tools, faults, outcomes } = await killAtEveryCommit(cashier, {
      model,
      effects: () => bank.payments,
    });
    expect(faults).toEqual([]);
    expect(tools['charge']).toMatchObject({ repeated: 0, twice: [] });
    const { unknown = [] } = tools['charge'] ?? {};
    expect(new Set(unknown.map(({ effects }) => effects.length))).toEqual(new Set([0, 1]));
    expect(outcomes['failed']).toBe(unknown.length);
  });

  it('lets a person who answers truly complete every execution', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'unsafe',
      onUnknown: 'ask',
      approval: 'always',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    const { tools, outcomes, crashes } = await killAtEveryCommit(cashier, {
      model,
      effects: () => bank.payments,
    });
    expect(tools['charge']?.unknown.length).toBeGreaterThan(0);
    expect(outcomes).toEqual({ completed: crashes });
    expect(bank.payments).toHaveLength(crashes + 1);
  });

  it('catches a read that changes something', async () => {
    const bank = new Bank();
    const { cashier, model } = charging({
      effect: 'read',
      run: ({ amount }) => {
        bank.pay(amount);
      },
    });
    const { faults } = await killAtEveryCommit(cashier, { model, effects: () => bank.payments });
    expect(faults).toEqual(['the tool "charge" is declared `read`, and a call has an effect: 3']);
  });

  it('empties the fakes of the test before each run', async () => {
    let stock = 0;
    const { cashier, model } = charging({
      effect: 'unsafe',
      onUnknown: 'ask',
      run: () => {
        if (stock === 0) throw new ToolFailure('sold out');
        stock -= 1;
        return `left: ${stock}`;
      },
    });
    const reset = (): void => {
      stock = 1;
    };
    const { calls } = await testAgent(cashier, { model, reset });
    expect((await testAgent(cashier, { model, reset })).calls).toEqual(calls);
    expect(calls[1]).toMatchObject({ output: expect.stringContaining('left: 0') });
  });
});
