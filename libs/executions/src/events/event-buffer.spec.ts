import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import { EventBuffer, MAX_WAITING_CHARACTERS } from './event-buffer.js';

const FILE_CHARACTERS = Math.ceil((5 * 1_024 * 1_024 * 4) / 3);
const file = (name: string, characters = FILE_CHARACTERS): ExecutionEvent => ({
  event: 'file',
  data: { type: 'blob', round: 1, name, data: 'x'.repeat(characters) },
});
const status = (attempt: number): ExecutionEvent => ({
  event: 'status',
  data: { status: 'running', attempt },
});

function openBuffer() {
  const losses: number[] = [];
  return { losses, buffer: new EventBuffer((count) => void losses.push(count)) };
}

describe('EventBuffer', () => {
  it('keeps two files of 5 MiB and what comes with them', () => {
    const { buffer, losses } = openBuffer();
    const events = [status(1), file('a'), status(2), file('b'), status(3)];
    for (const event of events) buffer.add(event);
    expect(buffer.take()).toEqual(events);
    expect(losses).toEqual([]);
  });

  it('says in the place of what it drops how many events are missing', () => {
    const { buffer, losses } = openBuffer();
    for (const event of [status(1), file('a', MAX_WAITING_CHARACTERS), status(2)]) buffer.add(event);
    expect(losses).toEqual([1, 1]);
    expect(buffer.take()).toEqual([{ event: 'events_dropped', data: { count: 2 } }, status(2)]);
    buffer.add(status(3));
    expect(buffer.take()).toEqual([status(3)]);
  });

  it('counts events that were given up, and the mark of earlier ones as what it stands for', () => {
    const { buffer } = openBuffer();
    buffer.noteDropped([status(1), status(2)]);
    buffer.add(status(3));
    const taken = buffer.take();
    buffer.noteDropped(taken);
    buffer.add(status(4));
    expect(buffer.take()).toEqual([{ event: 'events_dropped', data: { count: 3 } }, status(4)]);
  });

  it('says nothing while there is no event to say it before', () => {
    const { buffer } = openBuffer();
    buffer.noteDropped([status(1)]);
    expect(buffer.take()).toEqual([]);
  });
});
