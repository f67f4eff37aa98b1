import { describe, expect, it } from '@jest/globals';
import type { Assignment } from '../ports/assignment-store.js';
import { ExecutionSlots } from '../slots/execution-slots.js';
import { JobIntake } from '../slots/job-intake.js';
import { AssignmentIntake } from './assignment-intake.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await settled();
};
const assignment = (name: string): Assignment => ({ executionId: name, token: `token of ${name}` });

class IntakeWorld {
  readonly log: string[] = [];
  readonly errors: unknown[] = [];
  readonly drain = new AbortController();
  failsToTake = false;
  private readonly timers: (() => void)[] = [];
  readonly intake: AssignmentIntake;

  constructor(slots: number) {
    const places = new ExecutionSlots(slots);
    const timers = {
      after: (_ms: number, act: () => void) => {
        this.timers.push(act);
        return () => void this.timers.splice(this.timers.indexOf(act), 1);
      },
    };
    const jobs = new JobIntake({
      ...{ places, timers, drain: this.drain.signal, defer: setImmediate },
      run: ({ executionId, token }, { onClaimed }) => {
        if (this.failsToTake) return Promise.reject(new Error('no database'));
        this.log.push(`run ${executionId} under ${token}`);
        onClaimed();
        return new Promise(() => undefined);
      },
      onBrokeOff: () => undefined,
    });
    this.intake = new AssignmentIntake({
      ...{ intake: jobs, places, drain: this.drain.signal },
      store: {
        requeue: (assignments) => {
          this.log.push(
            `requeue ${assignments.map(({ executionId, token }) => `${executionId} of ${token}`).join()}`,
          );
          return Promise.resolve(assignments.length);
        },
      },
      onRequeued: () => this.log.push('dispatch'),
      onError: (error) => this.errors.push(error),
    });
  }

  async letTimePass(): Promise<void> {
    for (const act of this.timers.splice(0)) act();
    await turns(6);
  }
}

describe('executions that an API has assigned to this worker', () => {
  it('begin at once, and the answer counts their slots as taken', () => {
    const world = new IntakeWorld(3);
    expect(world.intake.receive([assignment('a'), assignment('b')])).toBe(1);
    expect(world.log).toEqual(['run a under token of a', 'run b under token of b']);
    expect(world.intake.receive([])).toBe(1);
  });

  it('are requeued where no slot becomes free soon', async () => {
    const world = new IntakeWorld(1);
    expect(world.intake.receive([assignment('a'), assignment('b')])).toBe(0);
    await turns(3);
    expect(world.log).toEqual(['run a under token of a']);
    await world.letTimePass();
    expect(world.log.slice(1)).toEqual(['requeue b of token of b', 'dispatch']);
  });

  it('are requeued by a worker that is asked to stop, which has no free slot', async () => {
    const world = new IntakeWorld(3);
    world.drain.abort();
    expect(world.intake.receive([assignment('a')])).toBe(0);
    await turns(6);
    expect(world.log).toEqual(['requeue a of token of a', 'dispatch']);
  });

  it('are left to the end of their lease where they cannot be taken', async () => {
    const world = new IntakeWorld(3);
    world.failsToTake = true;
    world.intake.receive([assignment('a')]);
    await turns(6);
    expect([world.log, world.errors]).toEqual([[], [new Error('no database')]]);
  });
});
