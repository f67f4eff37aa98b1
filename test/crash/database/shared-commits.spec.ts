import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../support/services/wait-for.js';
import { collectExecution, waitUntilDelivered } from '../matrix/evidence/collect-evidence.js';
import { beginConversation } from '../matrix/conversation.js';
import { ofEvents, ofJournal, ofWebhooks, unless } from '../matrix/evidence/execution-violations.js';
import { CrashLane } from '../services/crash-lane.js';
import { HeldCommits, type HeldWrite } from '../services/held-commits.js';

const TIMEOUT_MS = 180_000;
const EXECUTIONS = 16;
/** The number of transactions that a worker runs at once for one kind of write. */
const LANES = 2;

/**
 * A transaction shared by many executions is atomic for all of them: if the worker dies during the commit, it is either
 * committed, without an acknowledgement, or rolled back.
 */
describe('a commit that several executions share', () => {
  let lane: CrashLane;
  /** Releases the held transactions after a test that failed. */
  let release: (() => Promise<void>) | null = null;

  beforeAll(async () => {
    lane = await CrashLane.open('postgres');
  }, TIMEOUT_MS);
  afterEach(() => release?.());
  afterAll(() => lane.close(), TIMEOUT_MS);

  it.each<{
    write: HeldWrite;
    worker: 'dies' | 'lives on';
    fate: 'rollBack' | 'letThrough';
    effect: 'idempotent' | 'unsafe';
  }>([
    { write: 'the endings of executions', worker: 'dies', fate: 'rollBack', effect: 'unsafe' },
    { write: 'the endings of executions', worker: 'dies', fate: 'letThrough', effect: 'unsafe' },
    { write: 'the endings of executions', worker: 'lives on', fate: 'rollBack', effect: 'unsafe' },
    { write: 'the intents of calls', worker: 'dies', fate: 'rollBack', effect: 'unsafe' },
    { write: 'the intents of calls', worker: 'dies', fate: 'letThrough', effect: 'idempotent' },
    { write: 'the intents of calls', worker: 'lives on', fate: 'rollBack', effect: 'unsafe' },
  ])(
    'harms none of them in $write: its worker $worker, $fate, $effect tool',
    async ({ write, worker, fate, effect }) => {
      const held = await HeldCommits.begin(lane.database, write);
      release = () => held.letThrough();
      const conversations = Array.from({ length: EXECUTIONS }, () => beginConversation(lane, effect));
      const ids = (await Promise.all(conversations.map(({ first }) => first))).map(({ id }) => id);
      // One transaction is being committed; the other executions wait behind it.
      await waitFor(async () => areAtRest(ids, write) && (await held.standing()).length > 0, {
        description: `all to stand before ${write}`,
      });
      expect((await held.standing()).length).toBeLessThanOrEqual(LANES);

      if (worker === 'dies') {
        const [victim] = await lane.freezeAndReplace(new Set([lane.worker.pid]));
        await victim?.process.kill();
      }
      await held[fate]();
      release = null;
      await waitUntilDelivered(lane, ids);

      const violations = await Promise.all(ids.map((id) => violationsOf(id)));
      expect(violations.flat()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  /**
   * True when everything before the write has happened: the answers of the model, and the calls if the write is an ending.
   */
  function areAtRest(ids: readonly string[], write: HeldWrite): boolean {
    const areEnding = write === 'the endings of executions';
    const answers = areEnding ? 2 : 1;
    const areAnswered = ids.every((id) => answersOf(id) === answers);
    return areAnswered && (!areEnding || ids.every((id) => lane.effects.callsOf(id).length === 1));
  }

  function answersOf(id: string): number {
    const { visitors } = lane.board;
    return visitors.filter(
      ({ point, executionId }) => point === 'model.after_response_before_commit' && executionId === id,
    ).length;
  }

  async function violationsOf(id: string): Promise<string[]> {
    const evidence = await collectExecution(lane, id);
    const { view, steps, calls } = evidence;
    const effects = calls.filter((call) => call.tookEffect).length;
    return [
      ...unless(view.status === 'completed', `it ended ${view.status}: ${view.error?.code}`),
      ...unless(effects === 1, `the tool took effect ${effects} times`),
      ...unless(steps.length === 1 && steps[0]?.status === 'succeeded', 'the audit is another'),
      ...ofJournal(evidence),
      ...ofEvents(evidence),
      ...ofWebhooks(evidence, lane.webhookSecret),
    ].map((text) => `${id}: ${text}`);
  }
});
