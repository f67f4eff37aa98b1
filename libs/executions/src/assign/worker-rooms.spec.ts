import { describe, expect, it } from '@jest/globals';
import { WorkerRooms } from './worker-rooms.js';

class RoomsWorld {
  now = 0;
  readonly rooms = new WorkerRooms({ monotonic: () => this.now });

  constructor(free: Readonly<Record<string, number>>) {
    this.meet(...Object.keys(free));
    for (const [id, slots] of Object.entries(free)) this.answer(id, slots);
  }

  meet(...ids: string[]): void {
    this.rooms.meet(ids.map((workerId) => ({ workerId, hand: () => Promise.resolve(0) })));
  }

  answer(id: string, free: number): void {
    Object.assign(this.rooms.find(id) ?? {}, { free });
  }

  get toAsk(): string[] {
    return this.rooms.takeToAsk().map(({ door }) => door.workerId);
  }
}

describe('the slots of workers', () => {
  it.each<[title: string, free: Record<string, number>, most: number, reserved: string[]]>([
    ['of none', {}, 2, []],
    ['of one that has not answered', { a: 0 }, 2, []],
    ['of one', { a: 3 }, 2, ['a', 'a']],
    ['no more than are free', { a: 1 }, 2, ['a']],
    ['of the roomiest, again and again', { a: 1, b: 3 }, 4, ['b', 'b', 'a', 'b']],
  ])('are reserved: %s', (_title, free, most, reserved) => {
    expect(new RoomsWorld(free).rooms.reserve(most)).toEqual(reserved);
  });

  it('count as taken while they are reserved', () => {
    const { rooms } = new RoomsWorld({ a: 2 });
    rooms.reserve(2);
    expect([rooms.free, rooms.withRoom, rooms.reserve(1)]).toEqual([0, [], []]);
    rooms.unreserve('a', 1);
    expect([rooms.free, rooms.withRoom, rooms.reserve(2)]).toEqual([1, ['a'], ['a']]);
  });

  it('are never fewer than none where an answer is smaller than what is under way', () => {
    const world = new RoomsWorld({ a: 3 });
    world.rooms.reserve(3);
    world.answer('a', 1);
    expect([world.rooms.free, world.rooms.reserve(1)]).toEqual([0, []]);
  });

  it('are asked for where none is known to be free, at most every 20 ms', () => {
    const world = new RoomsWorld({ a: 0, b: 1 });
    expect(world.toAsk).toEqual(['a']);
    world.now = 19;
    expect(world.toAsk).toEqual([]);
    world.rooms.reserve(1);
    world.now = 20;
    expect(world.toAsk).toEqual(['a', 'b']);
  });

  it('are not used for 5 s after a worker did not answer', () => {
    const world = new RoomsWorld({ a: 2 });
    const room = world.rooms.find('a');
    if (!room) throw new Error('a is known');
    world.rooms.silence(room);
    world.answer('a', 2);
    world.now = 4_999;
    expect([world.rooms.free, world.rooms.reserve(1), world.toAsk]).toEqual([0, [], []]);
    world.now = 5_000;
    expect([world.rooms.free, world.rooms.reserve(1)]).toEqual([2, ['a']]);
  });

  it('are reached by the door of the last look, since the one before may be closed', () => {
    const world = new RoomsWorld({ a: 2 });
    world.rooms.reserve(1);
    world.meet();
    const before = world.rooms.find('a')?.door;
    world.meet('a');
    expect(world.rooms.find('a')?.door).not.toBe(before);
    expect(world.rooms.find('a')).toMatchObject({ free: 2, reserved: 1 });
  });

  it('stay known while their worker stays, and where something is reserved', () => {
    const world = new RoomsWorld({ a: 2, b: 2, c: 1 });
    expect(world.rooms.reserve(1)).toEqual(['a']);
    world.meet('b', 'd');
    expect(['a', 'b', 'c', 'd'].map((id) => world.rooms.find(id)?.free)).toEqual([2, 2, undefined, 0]);
    world.rooms.unreserve('a', 1);
    world.meet('b');
    expect(world.rooms.find('a')).toBeUndefined();
  });
});
