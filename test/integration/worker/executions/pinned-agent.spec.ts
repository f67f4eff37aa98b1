import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;

beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const CHANGE = `
  UPDATE agent SET system_prompt = 'Be rude.', tools = '{"builtin": ["gone"]}', config = '{"maximum_iterations": 1, "timeout_seconds": 1}'
   WHERE id = 1`;

it('an execution that waits is run as its agent was when it was accepted, in every attempt', async () => {
  await world.offer([aTool('look')], { temperature: 0.5, timeout_seconds: 100 });
  const { id } = await world.submit();
  await world.dataSource.query(CHANGE);
  const first = new SequenceModel([aModelAnswer({ text: 'never read' })]);
  world.drain.abort();
  await world.run(id, first, [aTool('look')]);
  world.drain = new AbortController();
  await world.dataSource.query(`UPDATE agent SET name = 'Changed once more' WHERE id = 1`);

  const model = new SequenceModel([aModelAnswer({ text: 'done' })]);
  const view = await world.run(id, model, [aTool('look')]);

  expect(view).toMatchObject({ status: 'completed', attempt: 2 });
  expect(model.requests).toMatchObject([
    {
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
      tools: [{ name: 'look' }],
      parameters: { temperature: 0.5 },
    },
  ]);
  const [prepared] = await world.dataSource.query<{ layers: object }[]>(
    `SELECT data -> 'layers' AS layers FROM journal_entry WHERE execution_id = $1 AND kind = 'execution_prepared'`,
    [id],
  );
  const hash = createHash('sha256').update('Be brief.').digest('hex');
  expect(prepared?.layers).toEqual([{ name: 'agent', hash }]);
  const [row] = await world.dataSource.query<{ seconds: string }[]>(
    `SELECT extract(epoch FROM deadline_at - started_at) AS seconds FROM execution WHERE id = $1`,
    [id],
  );
  expect(Number(row?.seconds)).toBeGreaterThan(99);
  const next = await world.submit();
  expect((await world.run(next.id, new SequenceModel([]), [aTool('look')])).error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'the tools of the agent are not usable: there is no tool named gone',
  });
});

it('an execution that an older release accepted runs its agent as it is', async () => {
  await world.offer([], {});
  const { id } = await world.submit();
  await world.dataSource.query(`UPDATE execution SET agent_version = NULL WHERE id = $1`, [id]);
  await world.dataSource.query(`UPDATE agent SET system_prompt = 'Be kind.' WHERE id = 1`);
  const model = new SequenceModel([aModelAnswer({ text: 'done' })]);

  expect(await world.run(id, model)).toMatchObject({ status: 'completed', agent_version: null });
  expect(model.requests).toMatchObject([{ messages: [{ content: 'Be kind.' }, {}] }]);
});

describe('a tool that a release has changed while an execution was under way', () => {
  const booking = (overrides: Partial<ToolDefinition> = {}): ToolDefinition => ({
    ...aTool('book'),
    approval: 'always',
    ...overrides,
  });
  const parked = async (model: SequenceModel): Promise<string> => {
    await world.offer([aTool('look'), booking()]);
    const { id } = await world.submit();
    expect(await world.run(id, model, [aTool('look'), booking()])).toMatchObject({
      status: 'requires_action',
    });
    await new ApprovalStore(world.dataSource).decide(
      'default',
      id,
      [{ call: '1.0', approved: true, reason: '' }],
      null,
    );
    return id;
  };
  const model = () =>
    new SequenceModel([
      aModelAnswer({ toolCalls: [aCall('book', 'c1', {})] }),
      aModelAnswer({ text: 'done' }),
    ]);

  it('is not called in it any more, and the model reads why', async () => {
    const asked = model();
    const id = await parked(asked);
    let runs = 0;
    const run = (): Promise<never> => Promise.reject(new Error(`run ${(runs += 1)}`));
    const changed = booking({ description: 'Books something else.', run });
    expect(await world.run(id, asked, [aTool('look'), changed])).toMatchObject({ status: 'completed' });
    expect(runs).toBe(0);
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'book', status: 'refused' }]);
    const last = asked.requests.at(-1);
    expect(last?.tools.map(({ name }) => name)).toEqual(['look']);
    expect(JSON.stringify(last?.messages)).toContain('the tool book has changed since this run began');
  });

  it('is the same tool when only invisible parts of it have changed', async () => {
    const asked = model();
    const id = await parked(asked);
    const same = booking({ timeoutMs: 1_234 });
    expect(await world.run(id, asked, [aTool('look'), same])).toMatchObject({ status: 'completed' });
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'book', status: 'succeeded' }]);
  });
});
