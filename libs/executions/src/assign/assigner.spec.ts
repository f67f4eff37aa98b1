import { describe, expect, it } from '@jest/globals';
import type { Assignment } from '../ports/assignment-store.js';
import { Assigner } from './assigner.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await settled();
};

class AssignerWorld {
  now = 0;
  readonly log: string[] = [];
  readonly errors: unknown[] = [];
  /** Answers of the workers: their free slots, or an error. */
  readonly workers = new Map<string, () => Promise<number>>();
  requeued: () => Promise<number> = () => Promise.resolve(1);
  private tokens = 0;

  readonly assigner = new Assigner({
    doors: {
      find: (known) => {
        this.log.push(`look, knows ${known.join() || 'none'}`);
        const doors = [...this.workers.keys()].map((workerId) => ({
          workerId,
          hand: (assignments: readonly Assignment[]) => {
            this.log.push(
              `${workerId}: ${assignments.map(({ executionId }) => executionId).join() || 'asked'}`,
            );
            return this.workers.get(workerId)?.() ?? Promise.resolve(0);
          },
        }));
        return Promise.resolve(doors);
      },
      close: () => Promise.resolve(),
    },
    store: {
      requeue: (assignments) => {
        this.log.push(
          `requeue ${assignments.map(({ executionId, token }) => `${executionId} of ${token}`).join()}`,
        );
        return this.requeued();
      },
    },
    clock: { monotonic: () => this.now },
    newToken: () => `token ${(this.tokens += 1)}`,
    defer: setImmediate,
    onRequeued: () => this.log.push('dispatch'),
    onError: (error) => this.errors.push(error),
  });

  /** Has the workers found and asked. */
  async meet(): Promise<void> {
    this.assigner.settle(this.assigner.offer(1), new Map());
    await turns(4);
    this.log.length = 0;
  }

  /** Takes one slot, as an accepted execution does, and hands the execution over. */
  take(name: string): void {
    const offers = this.assigner.offer(1);
    this.assigner.settle(offers, new Map(offers.items.map(({ token }) => [token, name])));
  }
}

describe('handing executions to workers', () => {
  it('offers nothing before a worker has answered, and looks for workers at most every 2 s', async () => {
    const world = new AssignerWorld();
    world.workers.set('a', () => Promise.resolve(3));
    const none = world.assigner.offer(1);
    expect(none).toEqual({ items: [], free: 0 });
    world.assigner.settle(none, null);
    await turns(4);
    // The accept has failed.
    expect(world.log).toEqual([]);
    world.assigner.settle(none, new Map());
    await turns(4);
    expect(world.log).toEqual(['look, knows none', 'a: asked']);
    expect(world.assigner.offer(2)).toEqual({
      items: [
        { workerId: 'a', token: 'token 1' },
        { workerId: 'a', token: 'token 2' },
      ],
      free: 3,
    });
    world.assigner.settle(none, new Map());
    expect(world.log.at(-1)).toBe('a: asked');
    world.now = 2_000;
    world.assigner.settle(none, new Map());
    expect(world.log.at(-1)).toBe('look, knows a');
  });

  it('frees the slots of offers that nothing has taken', async () => {
    const world = new AssignerWorld();
    world.workers.set('a', () => Promise.resolve(2));
    await world.meet();
    const offers = world.assigner.offer(2);
    expect(world.assigner.offer(1).items).toEqual([]);
    world.assigner.settle(offers, new Map([['token 1', 'one']]));
    expect(world.assigner.offer(2).items).toHaveLength(1);
  });

  it('hands over in one call what comes while a call is under way', async () => {
    const world = new AssignerWorld();
    world.workers.set('a', () => Promise.resolve(5));
    await world.meet();
    const { promise, resolve } = Promise.withResolvers<number>();
    world.workers.set('a', () => promise);
    world.now = 2_000;
    world.take('one');
    await turns(3);
    world.take('two');
    world.take('three');
    await turns(3);
    expect(world.log.filter((line) => line.startsWith('a:'))).toEqual(['a: one']);
    resolve(4);
    await turns(4);
    expect(world.log.filter((line) => line.startsWith('a:'))).toEqual(['a: one', 'a: two,three']);
  });

  it('requeues what a worker did not confirm, and leaves the worker alone', async () => {
    const world = new AssignerWorld();
    world.workers.set('a', () => Promise.resolve(5));
    await world.meet();
    world.workers.set('a', () => Promise.reject(new Error('no answer')));
    world.now = 2_000;
    world.take('one');
    await world.assigner.idle();
    expect(world.log.slice(-2)).toEqual(['requeue one of token 1', 'dispatch']);
    expect(world.errors).toEqual([new Error('no answer')]);
    expect(world.assigner.offer(1)).toEqual({ items: [], free: 0 });
  });

  it('leaves what it cannot requeue to the end of the lease', async () => {
    const world = new AssignerWorld();
    world.workers.set('a', () => Promise.resolve(5));
    await world.meet();
    world.workers.set('a', () => Promise.reject(new Error('no answer')));
    world.requeued = () => Promise.reject(new Error('no database'));
    world.take('one');
    await world.assigner.idle();
    expect(world.errors).toEqual([new Error('no answer'), new Error('no database')]);
    expect(world.log).not.toContain('dispatch');
  });
});
