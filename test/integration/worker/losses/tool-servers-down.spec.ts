import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ModelCallError } from '#libs/agent-core';
import { ToolCatalogue, ToolsAwayError, ToolSource } from '#libs/tooling';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
beforeEach(() => withServers());
afterAll(() => world.close());

const AWAY = 'the tool server crm cannot be used: the server cannot be reached';

/** Gives the seeded agent the tools of the server `crm`. */
async function withServers(config: object = {}): Promise<void> {
  await world.dataSource.query('UPDATE agent SET tools = $1, config = $2 WHERE id = 1', [
    JSON.stringify({ servers: ['crm'] }),
    JSON.stringify(config),
  ]);
}

/** A tool source that is unavailable until `isThere` is set. */
class Crm extends ToolSource {
  isThere = false;

  override load(): Promise<ToolCatalogue> {
    return this.isThere
      ? Promise.resolve(new ToolCatalogue([]))
      : Promise.reject(new ToolsAwayError('crm', AWAY, null));
  }
}

const done = () => new SequenceModel([aModelAnswer({ text: 'done' })]);
const set = (id: string, values: string) =>
  world.dataSource.query(`UPDATE execution SET ${values} WHERE id = $1`, [id]);
const eventsOf = async (id: string) =>
  (await world.events.readAfter(id, 0, 100)).map(({ event, data }) => ({ event, data }));

describe('an execution whose tool server is down', () => {
  it('says so, has not started, and counts no try; when the server is there it runs as if for the first time', async () => {
    const { id } = await world.submit();
    const tools = new Crm();
    for (let tried = 0; tried < 2; tried += 1) {
      expect(await world.run(id, done(), [], { tools })).toMatchObject({
        status: 'queued',
        attempt: 0,
        started_at: null,
        waiting_for: { kind: 'tool_server', name: 'crm', message: AWAY },
      });
      await set(id, 'due_at = now()');
    }
    tools.isThere = true;
    expect(await world.run(id, done(), [], { tools })).toMatchObject({
      status: 'completed',
      attempt: 1,
      started_at: expect.any(String),
      waiting_for: null,
    });
    const events = await eventsOf(id);
    expect(events.slice(0, 5)).toMatchObject([
      { event: 'session_start' },
      { event: 'waiting', data: { kind: 'tool_server', name: 'crm', message: AWAY } },
      { event: 'waiting', data: { kind: 'tool_server' } },
      { event: 'waiting', data: { kind: null } },
      { event: 'status', data: { status: 'running', attempt: 1 } },
    ]);
    const [first, second] = events.filter(({ event }) => event === 'waiting');
    expect(second?.data).toMatchObject({ since: (first?.data as { since: string }).since });
    expect(
      events.filter(({ event }) => event === 'session_start' || event === 'attempt_restarted'),
    ).toHaveLength(1);
  });

  it('ends when its time is up, never having started', async () => {
    const { id } = await world.submit();
    const tools = new Crm();
    await world.run(id, done(), [], { tools });
    await set(id, `due_at = now() - interval '2 seconds', deadline_at = now() - interval '1 second'`);
    expect(await world.run(id, done(), [], { tools })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'timeout' },
      started_at: null,
      waiting_for: null,
      execution_metadata: { warnings: [AWAY] },
    });
  });

  it('has more time where its agent says so', async () => {
    await withServers({ wait_for_tools_seconds: 600 });
    const { id } = await world.submit();
    const tools = new Crm();
    const left = async (): Promise<number> => {
      const [row] = await world.dataSource.query<{ s: number }[]>(
        `SELECT extract(epoch FROM deadline_at - created_at)::float8 AS s FROM execution WHERE id = $1`,
        [id],
      );
      return row?.s ?? NaN;
    };
    await world.run(id, done(), [], { tools });
    const before = await left();
    await set(id, 'due_at = now()');
    await world.run(id, done(), [], { tools });
    expect(await left()).toBeGreaterThan(before);
    expect(await world.executions.find('default', id)).toMatchObject({ status: 'queued' });
  });
});

it('an execution that waits for a limit of its provider shows it, and no longer once it goes on', async () => {
  await world.offer([]);
  const { id } = await world.submit();
  const limited = new ModelCallError({
    reason: 'rate_limited',
    message: 'API status error (429): slow down',
    retryable: true,
    retryAfterMs: 1_000,
  });
  const model = new SequenceModel([limited, aModelAnswer({ text: 'done' })]);
  expect(await world.run(id, model)).toMatchObject({ status: 'completed', waiting_for: null });
  const waits = (await eventsOf(id)).filter(({ event }) => event === 'waiting');
  expect(waits).toMatchObject([
    { data: { kind: 'rate_limit', message: 'API status error (429): slow down' } },
    { data: { kind: null } },
  ]);
});
