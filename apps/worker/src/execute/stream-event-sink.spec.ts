import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import {
  InMemoryEvents,
  InMemoryEventStream,
} from '../../../../test/support/fakes/in-memory-event-stream.js';
import { StreamEventSink } from './stream-event-sink.js';

const ID = 'e1';
const status = (attempt: number): ExecutionEvent => ({
  event: 'status',
  data: { status: 'running', attempt },
});

/** Two attempts of one execution; the second one has overtaken the first. */
function twoAttempts() {
  const events = new InMemoryEvents();
  const stream = new InMemoryEventStream(events);
  const conflicts: string[] = [];
  const open = (name: string, isCurrent: () => Promise<boolean>, nextId = 2) =>
    new StreamEventSink(new InMemoryEventStream(events), ID, nextId, {
      isCurrent,
      onConflict: () => conflicts.push(name),
      onLoss: () => undefined,
    });
  const told = async () =>
    (await stream.readAfter(ID, 0, 100)).map(({ id, data }) => [id, (data as { attempt: number }).attempt]);
  return { open, told, conflicts };
}

const yes = () => Promise.resolve(true);
const no = () => Promise.resolve(false);

describe('StreamEventSink', () => {
  it('goes past what an overtaken attempt told at the last moment, and loses nothing of its own', async () => {
    const { open, told, conflicts } = twoAttempts();
    const old = open('old', no);
    const current = open('current', yes);
    old.emit(status(1));
    await old.flush();
    current.emit(status(2));
    await current.flush();
    current.emit(status(2));
    await current.flush();
    expect(await told()).toEqual([
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    expect(conflicts).toEqual([]);
  });

  it('stops an overtaken attempt as soon as the new one has told anything', async () => {
    const { open, told, conflicts } = twoAttempts();
    const old = open('old', no);
    const current = open('current', yes);
    current.emit(status(2));
    await current.flush();
    old.emit(status(1));
    await old.flush();
    old.emit(status(1));
    await old.flush();
    expect(await told()).toEqual([[2, 2]]);
    expect(conflicts).toEqual(['old']);
  });

  it('stops where nobody can say who is overtaken', async () => {
    const { open, conflicts } = twoAttempts();
    const first = open('first', yes);
    const unsure = open('unsure', () => Promise.reject(new Error('the database is away')));
    first.emit(status(1));
    await first.flush();
    unsure.emit(status(2));
    await unsure.flush();
    expect(conflicts).toEqual(['unsure']);
  });
});
