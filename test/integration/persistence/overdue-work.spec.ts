import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isExecutionOverdue } from '#libs/persistence';
import { aSubmission } from '../../support/builders/submission.js';
import { PersistenceWorld } from './persistence-world.js';

let world: PersistenceWorld;
beforeAll(async () => {
  world = await PersistenceWorld.open();
});
beforeEach(() => world.clear());
afterAll(() => world.close());

const SINCE_AN_HOUR = `created_at = now() - interval '1 hour', head_since = now() - interval '1 hour'`;

async function accept(tenantId: string, set: string): Promise<void> {
  const submission = aSubmission({ tenantId });
  await world.acceptances.accept(submission);
  await world.dataSource.query(`UPDATE execution SET ${set} WHERE id = $1`, [submission.executionId]);
}

const isOverdue = (tenantInFlightCap = 2) =>
  isExecutionOverdue(world.dataSource, { forMs: 60_000, tenantInFlightCap });
const running = (lease: string): string =>
  `status = 'running', lease_expires_at = now() ${lease} interval '1 hour', ${SINCE_AN_HOUR}`;

describe('an execution is overdue', () => {
  it.each([
    ['when it was never sent', SINCE_AN_HOUR, true],
    ['when it was sent', `${SINCE_AN_HOUR}, dispatched_at = now()`, true],
    ['when it was due before', `${SINCE_AN_HOUR}, due_at = now() - interval '2 minutes'`, true],
    ['when its worker is gone', running('-'), true],
    ['unless it is young', `head_since = now()`, false],
    [
      'unless it was not the head for so long',
      `created_at = now() - interval '1 hour', head_since = now()`,
      false,
    ],
    [
      'unless it stands behind another one',
      `created_at = now() - interval '1 hour', head_since = NULL`,
      false,
    ],
    ['unless it has just become due', `${SINCE_AN_HOUR}, due_at = now()`, false],
    ['unless it is postponed', `${SINCE_AN_HOUR}, due_at = now() + interval '1 hour'`, false],
    ['unless it was sent and postponed', `${SINCE_AN_HOUR}, dispatched_at = now(), due_at = now()`, false],
    ['unless it runs', running('+'), false],
    ['unless it waits for a person', `${SINCE_AN_HOUR}, status = 'requires_action'`, false],
  ])('%s', async (_case, set, expected) => {
    await accept('first', 'created_at = now()');
    await accept('one', set);
    expect(await isOverdue()).toBe(expected);
  });

  it('unless its tenant has to wait, for any other executions', async () => {
    for (const _place of [1, 2]) await accept('full', running('+'));
    await accept('full', SINCE_AN_HOUR);
    await accept('full', `${SINCE_AN_HOUR}, dispatched_at = now()`);
    expect(await isOverdue(2)).toBe(false);
    expect(await isOverdue(3)).toBe(true);
    await accept('other', SINCE_AN_HOUR);
    expect(await isOverdue(2)).toBe(true);
  });
});
