import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import type { AttemptDependencies, Claim } from '#libs/executions';
import { ExecutionEndings, ExecutionWrites, PostgresJournal, SessionTitleStore } from '#libs/persistence';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
});
afterAll(() => world.close());

/** Journals that title a session from the input, in the transaction that ends the execution. */
function namedByInput(): Pick<AttemptDependencies, 'journalOf'> {
  const titleOf = ({ request }: Claim): string => `about ${request.input}`;
  const endings = new ExecutionEndings(() => Promise.resolve(), 60_000, undefined, titleOf);
  const writes = new ExecutionWrites(world.dataSource, endings);
  return { journalOf: (claim, retries, clock) => new PostgresJournal(writes, claim, clock, retries) };
}

async function settleOne(input: string, model: ModelPort, sessionId?: string) {
  const announced: string[] = [];
  const request = { input, options: {}, additional_data: {} };
  const submitted = await world.submit({ request, ...(sessionId !== undefined && { sessionId }) });
  const overrides = { onTitlePending: (id: string) => announced.push(id), ...namedByInput() };
  await world.run(submitted.id, model, [], overrides);
  return { ...submitted, announced };
}

const answering = (text: string): ModelPort => new SequenceModel([aModelAnswer({ text })]);

describe('the title of a session for which no model is asked', () => {
  it('is stored with the end of the execution, and given once', async () => {
    const { id, sessionId, announced } = await settleOne('tomatoes', answering('Sure.'));
    await settleOne('onions', answering('Sure.'), sessionId);

    expect(announced).toEqual([]);
    const session = { title: 'about tomatoes', title_pending: false };
    expect(await world.sessions.find('default', sessionId)).toMatchObject(session);
    const [last] = (await world.events.readAfter(id, 0, 100)).slice(-1);
    expect(last).toMatchObject({ event: 'result', data: { id, title_pending: false } });
    const orders: unknown = await world.dataSource.query(
      'SELECT 1 FROM session_title WHERE execution_id = $1',
      [id],
    );
    expect(orders).toEqual([]);
  });

  it('is asked of the model that the tenant names for titles all the same (S4-42)', async () => {
    const [llm] = await world.dataSource.query<{ id: number }[]>(
      `INSERT INTO llm (tenant_id, name, provider, model) VALUES ('default', 'Titles', 'openai', 'a-small-model') RETURNING id`,
    );
    const set = (settings: object) =>
      world.dataSource.query(`UPDATE tenant SET settings = $1 WHERE id = 'default'`, [settings]);
    await set({ title_llm: llm?.id });
    const { id, sessionId, announced } = await settleOne('tomatoes', answering('Sure.'));
    await set({});

    expect(announced).toEqual([id]);
    const session = { title: null, title_pending: true };
    expect(await world.sessions.find('default', sessionId)).toMatchObject(session);
    await set({ title_llm: llm?.id });
    const claimed = await new SessionTitleStore(world.dataSource).claim(id, 12_000, null);
    await set({});
    expect(claimed).toMatchObject({ isOfTenant: true, llm: { id: llm?.id, model: 'a-small-model' } });
  });

  it('is not taken from an execution that fails', async () => {
    const failing = new ModelCallError({ reason: 'x', message: 'no', retryable: false });
    const { sessionId } = await settleOne('hello', new SequenceModel([failing]));
    const session = { title: null, title_pending: false };
    expect(await world.sessions.find('default', sessionId)).toMatchObject(session);
  });
});
