import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { openEventStream, type OpenedEventStream } from '#libs/event-stream';
import { followEvents, type EventStream } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { NumberedEvent } from '#libs/payloads';
import { poolOf } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { withMethods } from '../../../crash/programs/with-methods.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';
import { oneByOne } from '../../../support/one-by-one.js';

/** Events of an execution that no client follows are written with its end; one that comes within it misses none. */
let world: WorkerWorld;
const look = aTool('look');
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([look]);
});
afterAll(() => world.close());

const log = (): void => undefined;
const TEXT = 'What it has found.';
const WHOLE = [
  'session_start',
  'status',
  'text_delta',
  'tool_use',
  'tool_result',
  'text_delta',
  'result',
] as const;

describe('without a follower, with the events in PostgreSQL', () => {
  withoutFollower(() => openEventStream({ backend: 'postgres', pool: poolOf(world.dataSource), log }));
});

describeWithRedis('without a follower, with the events in Redis', ({ url, prefix }) => {
  withoutFollower(() => openEventStream({ backend: 'redis', url, keyPrefix: prefix, log }));
});

function withoutFollower(open: () => OpenedEventStream): void {
  let writer: OpenedEventStream;
  let reader: OpenedEventStream;
  beforeEach(async () => {
    [writer, reader] = [open(), open()];
    const other = writer.watchFollowers(randomUUID(), () => undefined);
    await waitFor(() => !other.hasFollowers, { description: 'the writer to hear' });
  });
  afterEach(async () => {
    await Promise.all([writer.close(), reader.close()]);
  });

  /** Answers the second round in two pieces; the second one comes after `release`. */
  function pausingModel() {
    const reached = Promise.withResolvers<null>();
    const released = Promise.withResolvers<null>();
    const script = new ScriptedModel([
      aModelAnswer({ text: 'Let me look.', toolCalls: [aCall('look', 'c1')] }),
    ]);
    const model = {
      call: async (...[request, onDelta, signal]: Parameters<ModelPort['call']>) => {
        if (request.messages.every(({ role }) => role !== 'assistant')) return script.call(request, onDelta);
        signal.throwIfAborted();
        onDelta({ kind: 'text', content: TEXT.slice(0, 5) });
        reached.resolve(null);
        await released.promise;
        onDelta({ kind: 'text', content: TEXT.slice(5) });
        return aModelAnswer({ text: TEXT });
      },
    } as ModelPort;
    return { model, reached: reached.promise, release: () => released.resolve(null) };
  }

  const stored = (id: string) => reader.readAfter(id, 0, 1_000);

  it('all events of an execution are appended once, with its end', async () => {
    const { id } = await world.submit();
    const { model, reached, release } = pausingModel();
    let appends = 0;
    const counted = withMethods<EventStream>(writer, {
      append: async (...call) => {
        appends += 1;
        await writer.append(...call);
      },
    });
    const run = world.run(id, model, [look], { events: counted });
    await reached;
    expect(await stored(id)).toEqual([]);
    release();
    await run;
    expect((await stored(id)).map(({ event }) => event)).toEqual(WHOLE);
    expect(appends).toBe(1);
  });

  it('a follower that comes within the execution gets all of it, each event once', async () => {
    const { id } = await world.submit();
    const { model, reached, release } = pausingModel();
    const run = world.run(id, model, [look], { events: writer });
    await reached;
    const seen: NumberedEvent[] = [];
    const options = { signal: new AbortController().signal, clock: systemClock };
    for await (const item of oneByOne(followEvents(reader, id, 0, options))) {
      if (item.event === 'heartbeat') continue;
      seen.push(item);
      // Only what was kept has come so far, since the model waits.
      if (textOf(seen) === TEXT.slice(0, 5)) release();
    }
    await run;
    expect(seen.map(({ id: number }) => number)).toEqual(seen.map((_event, index) => index + 2));
    expect(textOf(seen)).toBe(TEXT);
    expect(new Set(seen.map(({ event }) => event))).toEqual(new Set(WHOLE));
    expect(seen).toEqual(await stored(id));
  });

  it('the events of an attempt that dies are lost, and those of the next one are whole', async () => {
    const { id } = await world.submit();
    const dying = pausingModel();
    const away = withMethods<EventStream>(writer, { append: () => new Promise(() => undefined) });
    const died = world.run(id, dying.model, [look], { events: away });
    await dying.reached;
    await world.expireLease(id);
    const { model, reached, release } = pausingModel();
    const run = world.run(id, model, [look], { events: writer });
    await reached;
    release();
    await run;
    const events = await stored(id);
    expect(events.map(({ id: number }) => number)).toEqual(events.map((_event, index) => index + 2));
    expect(events.map(({ event }) => event)).not.toContain('session_start');
    expect(events.filter(({ event }) => event === 'attempt_restarted')).toHaveLength(1);
    expect(events.at(-1)?.event).toBe('result');
    expect(textOf(events)).toBe(TEXT);
    dying.release();
    await died.catch(() => undefined);
    expect(await stored(id)).toEqual(events);
  });
}

/** Text of the last round. */
function textOf(events: readonly NumberedEvent[]): string {
  const pieces = events.flatMap(({ event, data }) => (event === 'text_delta' ? [data] : []));
  const round = Math.max(...pieces.map((piece) => piece.round));
  return pieces
    .filter((piece) => piece.round === round)
    .map(({ content }) => content)
    .join('');
}
