import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aSubmitCommand,
  ExecutionsAtWork,
  ROOM_ENOUGH,
  UNLIMITED,
} from '../../../../test/support/fakes/executions-at-work.js';
import { InMemoryAcceptances } from '../../../../test/support/fakes/executions/in-memory-acceptances.js';
import type { InMemoryExecutions } from '../../../../test/support/fakes/executions/in-memory-executions.js';
import type { Acceptance, Submission } from '../ports/acceptance-store.js';
import { SubmitExecution, type Submitted } from './submit-execution.js';

const RUNS = 1_000;
/** Fixed seed for reproducible runs. */
const SEED = 1;

/** Keeps accepted submissions in memory until a flush; a crash loses the unflushed ones and the store continues. */
class ForgetfulAcceptances extends InMemoryAcceptances {
  private readonly tail = new Set<string>();
  losses = 0;

  constructor(
    store: InMemoryExecutions,
    private readonly step: (label: string) => Promise<void>,
    private readonly isHonest: boolean,
  ) {
    super(store, ROOM_ENOUGH);
  }

  override async accept(submission: Submission): Promise<Acceptance> {
    await this.step('accept');
    const acceptance = await super.accept(submission);
    if (acceptance.kind === 'accepted') this.tail.add(acceptance.view.id);
    // The answer is in flight while other steps run.
    await this.step('accepted');
    return acceptance;
  }

  override async flush(executionId: string): Promise<void> {
    if (!this.isHonest) return;
    await this.step('flush');
    if (this.store.find(executionId) === undefined) throw new Error('it has been lost');
    this.tail.clear();
    await this.step('flushed');
  }

  crash(): void {
    for (const executionId of this.tail) this.store.lose(executionId);
    this.losses += this.tail.size;
    this.tail.clear();
  }
}

/** Submits in random order with crashes and claims between; returns the broken promises and the observed events. */
async function play(
  scheduler: fc.Scheduler,
  { submits, crashes }: { readonly submits: readonly boolean[]; readonly crashes: number },
  isHonest: boolean,
) {
  const work = new ExecutionsAtWork();
  const step = (label: string) => scheduler.schedule(Promise.resolve(), label);
  const acceptances = new ForgetfulAcceptances(work.store, step, isHonest);
  const useCase = new SubmitExecution({ ...work.submitDependencies(), acceptances });
  const idempotency = { key: 'k', requestSha256: 'same' };
  const submitted: Submitted[] = [];
  const submitting = submits.map(async (isUnderKey) => {
    await step('submit');
    const answer = await useCase
      .execute(aSubmitCommand(isUnderKey ? { idempotency } : {}), UNLIMITED)
      .catch(() => null);
    if (answer) submitted.push(answer);
  });
  const crashing = Array.from({ length: crashes }, async () => {
    await step('crash');
    acceptances.crash();
  });
  await scheduler.waitFor(Promise.all([...submitting, ...crashing]));
  acceptances.crash();
  const promised = submitted.flatMap((answer) => (answer.kind === 'submitted' ? [answer.view.id] : []));
  return {
    broken: promised.filter((id) => work.store.find(id) === undefined),
    promised: promised.length,
    losses: acceptances.losses,
  };
}

const scene = fc.record({
  submits: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  crashes: fc.nat(3),
});

describe('a database that loses unconfirmed commits', () => {
  it('loses no confirmed work, in any order of events', async () => {
    let [losses, promised] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), scene, async (scheduler, submits) => {
        const played = await play(scheduler, submits, true);
        expect(played.broken).toEqual([]);
        losses += played.losses;
        promised += played.promised;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // A case that never occurs is untested.
    expect([losses > RUNS / 10, promised > RUNS / 10]).toEqual([true, true]);
  });

  it('would lose it without the flush', async () => {
    const property = fc.asyncProperty(fc.scheduler(), scene, async (scheduler, submits) => {
      const { broken } = await play(scheduler, submits, false);
      return broken.length === 0;
    });
    const { failed } = await fc.check(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    expect(failed).toBe(true);
  });
});
