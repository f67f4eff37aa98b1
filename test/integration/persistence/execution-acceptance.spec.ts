import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import { aSubmission } from '../../support/builders/submission.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
afterAll(() => world.close());

const key = (text: string, requestSha256 = 'same') => ({ key: text, requestSha256 });

describe('accepting an execution', () => {
  it('begins a conversation with turn 1 and goes on with turn 2', async () => {
    const first = aSubmission();
    expect(await world.acceptances.accept(first)).toMatchObject({
      kind: 'accepted',
      view: { id: first.executionId, turn_number: 1, status: 'queued' },
    });
    const second = aSubmission({ sessionId: first.newSessionId });
    await world.acceptances.accept(second);
    expect(await world.executions.find('default', first.executionId)).toMatchObject({
      turn_number: 1,
      status: 'queued',
      attempt: 0,
    });
    expect(await world.executions.find('default', second.executionId)).toMatchObject({
      turn_number: 2,
      session_uuid: first.newSessionId,
    });
  });

  it('gives concurrent submissions to one conversation dense turn numbers', async () => {
    const first = aSubmission();
    await world.acceptances.accept(first);
    const others = Array.from({ length: 10 }, () => aSubmission({ sessionId: first.newSessionId }));
    await Promise.all(others.map((submission) => world.acceptances.accept(submission)));
    const turns = await Promise.all(
      others.map(
        async ({ executionId }) => (await world.executions.find('default', executionId))?.turn_number,
      ),
    );
    expect(turns.sort((a, b) => Number(a) - Number(b))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it.each([
    ['does not exist', async () => uuid(), {}],
    ['belongs to another agent', async () => beginSession(), { agentId: 999 }],
    ['belongs to another tenant', async () => beginSession(), { tenantId: 'other' }],
  ])('refuses a conversation that %s, and stores nothing', async (_name, session, overrides) => {
    const submission = aSubmission({ sessionId: await session(), idempotency: key(uuid()), ...overrides });
    expect(await world.acceptances.accept(submission)).toEqual({ kind: 'session_not_found' });
    expect(await world.executions.find('default', submission.executionId)).toBeNull();
    const kept: unknown = await world.dataSource.query(
      'SELECT 1 FROM idempotency_key WHERE execution_id = $1',
      [submission.executionId],
    );
    expect(kept).toEqual([]);
  });

  it('answers a repeated key with the same execution, also in a race of twenty', async () => {
    const idempotency = key(uuid());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.acceptances.accept(aSubmission({ idempotency }))),
    );
    expect(answers.filter((answer) => answer.kind === 'accepted')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'replayed')).toHaveLength(19);
    const ids = answers.flatMap((answer) => {
      if (answer.kind === 'accepted') return answer.view.id;
      return answer.kind === 'replayed' ? answer.executionId : [];
    });
    expect(new Set(ids).size).toBe(1);
  });

  it('refuses a key that came with another request, and keeps keys of tenants apart', async () => {
    const name = uuid();
    await world.acceptances.accept(aSubmission({ idempotency: key(name) }));
    expect(await world.acceptances.accept(aSubmission({ idempotency: key(name, 'other') }))).toEqual({
      kind: 'key_reused',
    });
    expect(
      await world.acceptances.accept(aSubmission({ idempotency: key(name, 'other'), tenantId: 'other' })),
    ).toMatchObject({ kind: 'accepted' });
  });

  it('accepts a key again when its time is over', async () => {
    const idempotency = key(uuid());
    await world.acceptances.accept(aSubmission({ idempotency }));
    await world.dataSource.query(
      `UPDATE idempotency_key SET expires_at = now() - interval '1 second' WHERE key = $1`,
      [idempotency.key],
    );
    const again = aSubmission({ idempotency: { ...idempotency, requestSha256: 'another' } });
    expect(await world.acceptances.accept(again)).toMatchObject({
      kind: 'accepted',
      view: { id: again.executionId },
    });
  });

  it('takes a repeated key in an existing conversation for a replay and uses up no turn', async () => {
    const sessionId = await beginSession();
    const idempotency = key(uuid());
    const first = aSubmission({ sessionId, idempotency });
    await world.acceptances.accept(first);
    expect(await world.acceptances.accept(aSubmission({ sessionId, idempotency }))).toEqual({
      kind: 'replayed',
      executionId: first.executionId,
    });
    const next = aSubmission({ sessionId });
    await world.acceptances.accept(next);
    expect(await world.executions.find('default', next.executionId)).toMatchObject({ turn_number: 3 });
  });
});

async function beginSession(): Promise<string> {
  const submission = aSubmission();
  await world.acceptances.accept(submission);
  return submission.newSessionId;
}
