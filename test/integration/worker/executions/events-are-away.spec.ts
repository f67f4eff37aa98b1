import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStreamConflictError, type EventStream } from '#libs/executions';
import { openEventStream, type OpenedEventStream } from '#libs/event-stream';
import { poolOf } from '#libs/persistence';
import { Client } from 'pg';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { FOLLOWED } from '../../../support/fakes/in-memory-event-stream.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

/** Live events only serve observers: a run completes even if its events cannot be written. */
let world: WorkerWorld;
const look = aTool('look');
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([look]);
});
afterAll(() => world.close());

const log = (): void => undefined;
const model = (): ScriptedModel =>
  new ScriptedModel([
    aModelAnswer({ text: 'Let me look.', toolCalls: [aCall('look', 'c1')] }),
    aModelAnswer({ text: 'Done.' }),
  ]);

/** Submits an execution before its second attempt, because only later attempts read the stream's last id. */
async function submitTwice(): Promise<string> {
  const { id } = await world.submit();
  await world.dataSource.query(`UPDATE execution SET attempt = 1, epoch = 1 WHERE id = $1`, [id]);
  return id;
}

async function completesWith(events: EventStream, count = 1): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, submitTwice));
  const views = await Promise.all(ids.map((id) => world.run(id, model(), [look], { events })));
  expect(views.map(({ status, attempt }) => ({ status, attempt }))).toEqual(
    Array(count).fill({ status: 'completed', attempt: 2 }),
  );
}

async function using(stream: OpenedEventStream, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await stream.close();
  }
}

it('says that its ending is stored before it sends the last event', async () => {
  const steps: string[] = [];
  const append: EventStream['append'] = (_id, _firstId, events) => {
    steps.push(...events.filter(({ event }) => event === 'result').map(({ event }) => event));
    return Promise.resolve();
  };
  const events = { append, lastId: () => Promise.resolve(0), watchFollowers: () => FOLLOWED };
  const run = world.useCase(model(), [look], { events: events as unknown as EventStream });
  await run.execute(await submitTwice(), world.drain.signal, { onStored: () => steps.push('stored') });
  expect(steps).toEqual(['stored', 'result']);
});

describe('an execution completes', () => {
  const never = () => new Promise<never>(() => undefined);
  const fail = () => Promise.reject(new Error('no'));
  it.each<[string, Partial<EventStream>]>([
    ['never answers', { append: never, lastId: never, readAfter: never }],
    ['fails', { append: fail, lastId: fail, readAfter: fail }],
    [
      'is written by another worker',
      {
        append: (id, firstId) => Promise.reject(new EventStreamConflictError(id, firstId)),
        lastId: () => Promise.resolve(7),
      },
    ],
  ])('though its event stream %s', async (_what, stream) => {
    await completesWith({ watchFollowers: () => FOLLOWED, ...stream } as EventStream);
  });

  it('though its table of events is locked, with more of them than there are connections', async () => {
    const pool = poolOf(world.dataSource);
    const events = openEventStream({ backend: 'postgres', pool, queryTimeoutMs: 20_000, log });
    const other = new Client({ connectionString: world.databaseUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE execution_event IN ACCESS EXCLUSIVE MODE');
    try {
      await completesWith(events, 15);
    } finally {
      await other.query('ROLLBACK');
      await other.end();
      await events.close();
    }
  });

  it('though its table of events is gone', async () => {
    await world.dataSource.query('ALTER TABLE execution_event RENAME TO no_more');
    const events = openEventStream({ backend: 'postgres', pool: poolOf(world.dataSource), log });
    try {
      await using(events, () => completesWith(events));
    } finally {
      await world.dataSource.query('ALTER TABLE no_more RENAME TO execution_event');
    }
  });

  describe('though Redis', () => {
    let server: Server;
    const sockets = new Set<Socket>();
    beforeAll(async () => {
      server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });

    it('accepts connections and says nothing', async () => {
      const { port } = server.address() as AddressInfo;
      const events = openEventStream({ backend: 'redis', url: `redis://127.0.0.1:${port}`, log });
      await using(events, () => completesWith(events));
    });

    it('is not there', async () => {
      const events = openEventStream({ backend: 'redis', url: 'redis://127.0.0.1:9', log });
      await using(events, () => completesWith(events));
    });
  });
});
