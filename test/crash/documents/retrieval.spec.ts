import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import type { Failpoint } from '../programs/failpoints.js';
import { RetrievalLane } from '../services/retrieval-lane.js';

const TIMEOUT_MS = 120_000;
const QUESTION = 'When do parcels go out?';

describe('an agent that answers from documents, whose worker is killed, with the queue in PostgreSQL', () => {
  answersOnce('postgres');
});
whenAllRun(() => {
  describeWithRedis('the same with the queue in Redis', () => {
    answersOnce('redis');
  });
});

function answersOnce(backend: QueueBackend): void {
  let lane: RetrievalLane;
  let undisturbed: unknown;
  beforeAll(async () => {
    lane = await RetrievalLane.open(backend);
    undisturbed = await lane.answerOf(await lane.ask(QUESTION));
  }, TIMEOUT_MS);
  afterAll(() => lane.close(), TIMEOUT_MS);

  it('answers from what was found', () => {
    expect(undisturbed).toMatchObject({
      content: expect.stringMatching(
        /Parcels leave the house at noon\..*Question: When do parcels go out\?$/s,
      ),
      citations: [{ title: 'Parcels', rank: 1 }, { rank: 2 }],
    });
  });

  /** The failpoint of the kill, the states of the question's embedding calls afterwards, and the number received. */
  it.each(
    chosen<[Failpoint, string[], number]>(
      [
        ['retrieval.before_call', ['known'], 1],
        ['retrieval.after_call_before_pin', ['known', 'known'], 2],
        ['retrieval.after_pin', ['known'], 1],
        ['model.before_call', ['known'], 1],
        ['model.after_response_before_commit', ['known'], 1],
      ],
      ([point]) => point.startsWith('retrieval.'),
    ),
  )(
    'at %s gives the same answer, and no call is paid for in silence',
    async (point, states, calls) => {
      await lane.forgetRequests();
      const trap = lane.board.arm(point);
      const id = await lane.ask(QUESTION);
      await lane.killAt(trap);
      expect(await lane.answerOf(id)).toEqual(undisturbed);
      expect(await lane.accountOf(id)).toMatchObject({ states });
      await lane.expectAccounts(id, { calls });
    },
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'leaves a call of unknown cost when killed while the server makes the vector of its question',
      async () => {
        await lane.forgetRequests();
        await lane.hangNextVectors();
        const id = await lane.ask(QUESTION);
        await lane.killWhileAsking();
        expect(await lane.answerOf(id)).toEqual(undisturbed);
        expect(await lane.accountOf(id)).toMatchObject({ states: ['unknown', 'known'] });
        await lane.expectAccounts(id, { calls: 2 });
      },
      TIMEOUT_MS,
    );
  });
}
