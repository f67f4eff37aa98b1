import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EngineRuns } from '#libs/executions';
import { CancellationStore } from '#libs/persistence';
import { CLAIM_OPTIONS, PersistenceWorld } from './persistence-world.js';

const ENGINE = 'with-an-engine';

let world: PersistenceWorld;
/** Model configurations without and with an engine, and an agent that runs by one. */
let [plain, engine, runner] = [0, 0, 0];

beforeAll(async () => {
  world = await PersistenceWorld.open();
  plain = await add(
    `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'p', 'openai', 'm')`,
  );
  engine = await add(
    `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'e', '${ENGINE}', 'm')`,
  );
  runner = await addAgent(engine);
});
beforeEach(() => world.clear());
afterAll(() => world.close());

async function add(sql: string, parameters: readonly unknown[] = []): Promise<number> {
  const [row] = await world.dataSource.query<{ id: number }[]>(`${sql} RETURNING id`, [...parameters]);
  return row?.id ?? 0;
}

function addAgent(llm: number, tools: object = {}, config: object = {}): Promise<number> {
  return add(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools, config)
     SELECT tenant_id, name, usecase_type, $1, system_prompt, $2, $3 FROM agent WHERE id = 1`,
    [llm, JSON.stringify(tools), JSON.stringify(config)],
  );
}

const taking = (takes: EngineRuns['takes']) => ({
  ...CLAIM_OPTIONS,
  engineRuns: { takes, providers: [ENGINE] },
});

/** Which of the workers may claim a run of this agent. */
async function takersOf(agentId: number): Promise<string[]> {
  const takers: string[] = [];
  for (const takes of ['any', 'none', 'only'] as const) {
    const { id } = await world.accept({
      agentId,
      request: { input: 'hi', options: {}, additional_data: {} },
    });
    const { kind } = await world.claims.claim(id, taking(takes));
    if (kind === 'claimed') takers.push(takes);
    else expect(kind).toBe('not_now');
  }
  return takers;
}

const calling = (agent: number) => ({ agents: [{ agent, name: 'other', description: 'Helps.' }] });
const choosing = (agent: number) => ({
  agents: [{ name: 'task', description: 'Runs one.', agents: [{ agent, name: 'other', description: 'x' }] }],
});

const GROW_OLD = `
  UPDATE execution SET created_at = now() - interval '2 hours', head_since = now() - interval '2 hours',
         metadata = jsonb_build_object('noted_at', now()) WHERE id = $1`;
const DECIDED = `
  INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data)
  VALUES ($1, 1, 'default', 0, 'approval_decided', '{}')`;

describe('a run by an engine', () => {
  const [THEIRS, OTHERS] = [
    ['any', 'only'],
    ['any', 'none'],
  ];

  it('is one of an agent whose model an engine runs', async () => {
    expect(await takersOf(runner)).toEqual(THEIRS);
    expect(await takersOf(await addAgent(plain))).toEqual(OTHERS);
  });

  it.each([
    ['calls such an agent', () => addAgent(plain, calling(runner))],
    ['may choose such an agent', () => addAgent(plain, choosing(runner))],
    ['calls one that calls it', async () => addAgent(plain, calling(await addAgent(plain, calling(runner))))],
    [
      'has a step that calls it',
      () => addAgent(plain, {}, { pipeline: { steps: [{ name: 's', kind: 'agent', agent: runner }] } }),
    ],
  ])('is one of an agent that %s', async (_case, addIt) =>
    expect(await takersOf(await addIt())).toEqual(THEIRS),
  );

  it('is none of an agent with such a model as its fallback, which is asked without an engine', async () =>
    expect(await takersOf(await addAgent(plain, {}, { fallbacks: [engine] }))).toEqual(OTHERS));

  it.each([
    ['that are no ids', { agents: [{ agent: 1e12, name: 'x' }, { agent: 'one' }] }],
    ['in a circle', null],
  ])('is none of an agent that calls agents %s', async (_case, tools) => {
    const agent = await addAgent(plain, tools ?? {});
    if (tools === null)
      await world.dataSource.query('UPDATE agent SET tools = $2 WHERE id = $1', [
        ...[agent, JSON.stringify(calling(agent))],
      ]);
    expect(await takersOf(agent)).toEqual(OTHERS);
  });

  it('keeps its version when the agent has changed since', async () => {
    const agent = await addAgent(engine);
    const { id } = await world.accept({
      ...{ agentId: agent, request: { input: 'hi', options: {}, additional_data: {} } },
    });
    await world.dataSource.query('UPDATE execution SET agent_version = 1 WHERE id = $1', [id]);
    await world.dataSource.query('UPDATE agent SET llm_id = $2 WHERE id = $1', [agent, plain]);
    expect((await world.claims.claim(id, taking('none'))).kind).toBe('not_now');
  });

  it('is due again later where a worker leaves it, and counts no attempt', async () => {
    const { id } = await world.accept({ agentId: runner });
    await world.claims.claim(id, taking('none'));
    const [row] = await world.dataSource.query<object[]>(
      'SELECT attempt, dispatched_at, due_at > now() AS is_later FROM execution WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ attempt: 0, dispatched_at: null, is_later: true });
  });

  it.each([
    ['soon where it waited for earlier turns', 'UPDATE execution SET head_since = now() WHERE id = $1', true],
    ['soon where it waited for a decision', DECIDED, true],
    ['15 s later where it could have run for hours', 'SELECT $1::uuid', false],
  ])('is due again %s, as old as it is', async (_case, change, isSoon) => {
    const { id } = await world.accept({ agentId: runner });
    for (const sql of [GROW_OLD, change]) await world.dataSource.query(sql, [id]);
    await world.claims.claim(id, taking('none'));
    const [row] = await world.dataSource.query<object[]>(
      `SELECT due_at < now() + interval '1 second' AS is_soon,
              due_at >= (metadata ->> 'noted_at')::timestamptz + interval '15 seconds' AS is_late
         FROM execution WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ is_soon: isSoon, is_late: !isSoon });
  });

  it('is ended by any worker where it was cancelled', async () => {
    const { id } = await world.accept({ agentId: runner });
    await world.claims.release(await world.claim(id));
    await new CancellationStore(world.dataSource).request('default', id);
    expect(await world.claims.claim(id, taking('none'))).toMatchObject({ claim: { isCancelled: true } });
  });
});
