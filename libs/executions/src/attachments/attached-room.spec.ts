import { describe, expect, it } from '@jest/globals';
import { AttachedRoom, type HeldRoom } from './attached-room.js';

const NEVER = new AbortController().signal;

/** Room for 100 bytes, with the admitted waiters in the order of their admission. */
class Scene {
  readonly entered: string[] = [];
  readonly held = new Map<string, HeldRoom>();
  readonly left: string[] = [];
  private readonly room = new AttachedRoom(100);

  /** @param name begins with its tenant */
  async ask(name: string, bytes: number, signals: readonly AbortSignal[] = [NEVER]): Promise<void> {
    void this.room.take(name.charAt(0), bytes, signals).then((held) => {
      if (held === null) this.left.push(name);
      else this.entered.push(name);
      if (held !== null) this.held.set(name, held);
    });
    await settled();
  }

  async end(name: string): Promise<void> {
    this.held.get(name)?.end();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('room for attached files', () => {
  it('is there at once while there is enough, and is waited for else, in the order of coming', async () => {
    const scene = new Scene();
    await scene.ask('a1', 50);
    await scene.ask('b1', 50);
    await scene.ask('c1', 30);
    await scene.ask('d1', 10);
    expect(scene.entered).toEqual(['a1', 'b1']);
    await scene.end('a1');
    expect(scene.entered).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('is not given to a smaller one before a larger one that waits', async () => {
    const scene = new Scene();
    await scene.ask('a1', 50);
    await scene.ask('b1', 30);
    await scene.ask('c1', 90);
    await scene.ask('d1', 10);
    await scene.end('a1');
    expect(scene.entered).toEqual(['a1', 'b1']);
    await scene.end('b1');
    expect(scene.entered).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('is limited to half for one tenant, whose waiting executions do not block other tenants', async () => {
    const scene = new Scene();
    await scene.ask('a1', 30);
    await scene.ask('a2', 30);
    await scene.ask('b1', 40);
    expect(scene.entered).toEqual(['a1', 'b1']);
    await scene.end('a1');
    expect(scene.entered).toEqual(['a1', 'b1', 'a2']);
  });

  it('is not given to a smaller one of a tenant before its larger one that waits', async () => {
    const scene = new Scene();
    await scene.ask('a1', 20);
    await scene.ask('a2', 45);
    await scene.ask('a3', 10);
    await scene.ask('b1', 10);
    expect(scene.entered).toEqual(['a1', 'b1']);
    await scene.end('a1');
    expect(scene.entered).toEqual(['a1', 'b1', 'a2']);
    await scene.end('a2');
    expect(scene.entered).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('is given to a single execution of any size', async () => {
    const scene = new Scene();
    await scene.ask('a1', 1_000);
    await scene.ask('b1', 1);
    expect(scene.entered).toEqual(['a1']);
    await scene.end('a1');
    await scene.ask('c1', 1_000);
    expect(scene.entered).toEqual(['a1', 'b1']);
    await scene.end('b1');
    expect(scene.entered).toEqual(['a1', 'b1', 'c1']);
  });

  it('is there for others as far as it is not needed any more, once', async () => {
    const scene = new Scene();
    await scene.ask('a1', 50);
    await scene.ask('b1', 50);
    await scene.ask('c1', 40);
    scene.held.get('a1')?.keep(10);
    scene.held.get('a1')?.keep(20);
    await settled();
    expect(scene.entered).toEqual(['a1', 'b1', 'c1']);
    await scene.ask('d1', 10);
    expect(scene.entered).not.toContain('d1');
    await scene.end('a1');
    await scene.end('a1');
    await scene.ask('e1', 1);
    expect(scene.entered).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it.each([0, 1])('is not waited for any more once one of its signals says so (signal %d)', async (which) => {
    const scene = new Scene();
    const stops = [new AbortController(), new AbortController()];
    await scene.ask('a1', 50);
    await scene.ask('b1', 20);
    await scene.ask(
      'c1',
      90,
      stops.map(({ signal }) => signal),
    );
    await scene.ask('d1', 10);
    stops[which]?.abort();
    await settled();
    expect(scene.left).toEqual(['c1']);
    expect(scene.entered).toEqual(['a1', 'b1', 'd1']);
    await scene.end('a1');
    expect(scene.entered).toEqual(['a1', 'b1', 'd1']);
  });

  it('is given where it is there, and not waited for, to whom is to stop already', async () => {
    const scene = new Scene();
    const stopped = AbortSignal.abort();
    await scene.ask('a1', 50, [stopped]);
    await scene.ask('b1', 60, [stopped]);
    expect([scene.entered, scene.left]).toEqual([['a1'], ['b1']]);
  });

  it('holds no signal of those who have entered', async () => {
    const scene = new Scene();
    const stop = new AbortController();
    await scene.ask('a1', 50);
    await scene.ask('b1', 60, [stop.signal]);
    await scene.end('a1');
    stop.abort();
    await settled();
    expect([scene.entered, scene.left]).toEqual([['a1', 'b1'], []]);
  });
});
