import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { openEventStream, type OpenedEventStream } from '#libs/event-stream';
import type { EventStream } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';
import { poolOf } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { withMethods } from '../../../crash/programs/with-methods.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

/** A follower shows the stored text after any number of attempts and lost writes of events. */
let world: WorkerWorld;
const look = aTool('look');
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([look]);
});
afterAll(() => world.close());

describe('the text of an execution, with its events in PostgreSQL', () => {
  const pool = () => poolOf(world.dataSource);
  streamedText(() => openEventStream({ backend: 'postgres', pool: pool(), hearsFollowers: false, log }));
});

describeWithRedis('the text of an execution, with its events in Redis', ({ url, prefix }) => {
  streamedText(() =>
    openEventStream({ backend: 'redis', url, keyPrefix: prefix, hearsFollowers: false, log }),
  );
});

const log = (): void => undefined;
const TEXT = 'What it has found.';
const model = (): ScriptedModel =>
  new ScriptedModel([
    aModelAnswer({ text: 'Let me look.', toolCalls: [aCall('look', 'c1')] }),
    aModelAnswer({ text: TEXT }),
  ]);

function streamedText(open: () => OpenedEventStream): void {
  let events: OpenedEventStream;
  beforeAll(() => {
    events = open();
  });
  afterAll(() => events.close());

  const streamOf = (id: string) => events.readAfter(id, 0, 1_000);

  it('has nothing of an attempt that was frozen before it wrote, and overtaken', async () => {
    const { id } = await world.submit();
    await world.dataSource.query(`UPDATE execution SET attempt = 1, epoch = 1 WHERE id = $1`, [id]);
    const frozen = new FrozenStream(events);
    const answer = Promise.withResolvers<null>();
    const stuck = { call: () => answer.promise.then(() => aModelAnswer({ text: 'Too late.' })) } as ModelPort;
    const overtaken = world.run(id, stuck, [look], { events: frozen.stream });
    await waitFor(() => frozen.isAsked, { description: 'the first events of the attempt' });
    await world.expireLease(id);
    await world.run(id, model(), [look], { events });
    const before = await streamOf(id);
    expect(textOf(before)).toBe(TEXT);

    frozen.thaw();
    answer.resolve(null);
    await overtaken;
    await waitFor(() => frozen.isDone, { description: 'what becomes of its events' });

    expect(await streamOf(id)).toEqual(before);
  });

  it('comes once where the answer to each append is lost, whether it has landed or not', async () => {
    const { id } = await world.submit();
    let appends = 0;
    const unsure = withMethods<EventStream>(events, {
      append: async (...call) => {
        appends += 1;
        if (appends % 3 === 0) throw new Error('not arrived');
        await events.append(...call);
        if (appends % 3 === 1) throw new Error('no answer');
      },
    });
    await world.run(id, model(), [look], { events: unsure });
    const all = await waitFor(
      async () => {
        const stored = await streamOf(id);
        return stored.at(-1)?.event === 'result' && stored;
      },
      { description: 'the result' },
    );
    expect(all.map(({ id: number }) => number)).toEqual(all.map((_event, index) => index + 2));
    expect(all.map(({ event }) => event)).toEqual([
      'session_start',
      'status',
      'text_delta',
      'tool_use',
      'tool_result',
      'text_delta',
      'result',
    ]);
  });
}

/** Text of the last round as clients show it, without the rounds that a restarted attempt revokes. */
function textOf(events: readonly NumberedEvent[]): string {
  const texts = new Map<number, string>();
  for (const { event, data } of events) {
    if (event === 'attempt_restarted') {
      for (const round of texts.keys()) if (round >= data.round) texts.delete(round);
    } else if (event === 'text_delta') {
      texts.set(data.round, (texts.get(data.round) ?? '') + data.content);
    }
  }
  return texts.get(Math.max(...texts.keys())) ?? '';
}

/** The event stream of a process that freezes right before its first call of the store. */
class FrozenStream {
  isAsked = false;
  private pending = 0;
  private readonly thawed = Promise.withResolvers<null>();
  readonly stream: EventStream;

  constructor(events: EventStream) {
    this.stream = withMethods<EventStream>(events, {
      lastId: async (...call) => this.whenThawed(() => events.lastId(...call)),
      append: async (...call) => this.whenThawed(() => events.append(...call)),
    });
  }

  /** True if no call of the stream is pending. */
  get isDone(): boolean {
    return this.pending === 0;
  }

  thaw(): void {
    this.thawed.resolve(null);
  }

  private async whenThawed<T>(ask: () => Promise<T>): Promise<T> {
    this.isAsked = true;
    this.pending += 1;
    try {
      await this.thawed.promise;
      return await ask();
    } finally {
      this.pending -= 1;
    }
  }
}
