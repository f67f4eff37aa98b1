import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { DocumentService, type Giver } from './document-service.js';

let service: DocumentService;
let giver: Giver;
let unaffected: Giver;
let database: Pool;
let worker: ServiceProcess;
beforeAll(async () => {
  service = await DocumentService.open('postgres', { INGEST_CONCURRENCY: '3' });
  giver = await service.addGiver('giver', { chunkTokens: 50 });
  unaffected = await service.addGiver('unaffected');
  worker = await service.startWorker();
  database = new Pool({ connectionString: service.deployment.databaseUrl, max: 2 });
});
afterEach(() => service.heal());
afterAll(async () => {
  await database.end();
  await service.close();
});

/** Holds the lock of the tenant `giver`, for which chunks and the end of an ingestion wait. */
async function holdTenant(): Promise<() => Promise<void>> {
  const client: PoolClient = await database.connect();
  await client.query(`SELECT pg_advisory_lock(hashtext('knowledge'), hashtext('giver'))`);
  return async () => {
    await client.query(`SELECT pg_advisory_unlock_all()`);
    client.release();
  };
}

const long = (mark: string): string =>
  Array.from({ length: 4_000 }, (_none, at) => `# ${mark} ${at}\n\n${'word '.repeat(30)}${at}.\n`).join('\n');

/** A document that is held in a state, and the function that lets it go on. */
interface Held {
  readonly id: string;
  readonly goOn: () => Promise<void>;
}

/** Freezes the worker while `act` prepares the state that the worker is to meet. */
async function meanwhile<T>(act: () => Promise<T>): Promise<T> {
  worker.freeze();
  try {
    return await act();
  } finally {
    worker.thaw();
  }
}

const onItsOwn = (): Promise<void> => Promise.resolve();

/** For each state, a function that keeps a document in it until it is deleted. */
const HELD: Readonly<Record<string, (mark: string) => Promise<Held>>> = {
  parsing: (mark) =>
    meanwhile(async () => {
      const id = await service.giveText(giver, `About ${mark}.`);
      return { id, goOn: await holdTenant() };
    }),
  chunking: async (mark) => ({ id: await service.giveText(giver, long(mark)), goOn: onItsOwn }),
  embedding: async (mark) => {
    await service.breakVectors(mark, { kind: 'hang_before_headers' });
    return { id: await service.giveText(giver, `About ${mark}.`), goOn: onItsOwn };
  },
  indexing: async (mark) => {
    await service.breakVectors(mark, { kind: 'hang_before_headers', ms: 3_000 });
    const id = await service.giveText(giver, `About ${mark}.`);
    await service.until(giver, id, ({ state }) => state === 'embedding');
    return { id, goOn: await meanwhile(holdTenant) };
  },
};

async function isGone(id: string): Promise<void> {
  expect((await service.read(giver, id)).status).toBe(404);
  await service.expectNothingLeft(giver);
}

describe('a document that is deleted leaves nothing', () => {
  it('while no worker has begun', async () => {
    const id = await meanwhile(async () => {
      const given = await service.giveText(giver, 'Nobody has begun.');
      expect((await service.read(giver, given)).body.state).toBe('waiting');
      expect(await service.remove(giver, given)).toBe(204);
      return given;
    });
    // Only a worker removes files.
    await isGone(id);
  });

  it.each(Object.keys(HELD))('while it is %s, and those of others are taken in', async (wanted) => {
    const mark = `m${randomUUID().slice(0, 8)}`;
    const held = await HELD[wanted]?.(mark);
    if (held === undefined) throw new Error(`nothing holds a document that is ${wanted}`);
    const other = await service.giveText(unaffected, `Beside one that is ${wanted}.`);
    await service.until(giver, held.id, ({ state }) => state === wanted);
    // The deletion waits behind the worker where the test holds the tenant's lock.
    const removed = service.remove(giver, held.id);
    await held.goOn();
    expect(await removed).toBe(204);
    await isGone(held.id);
    expect(await service.ended(unaffected, other)).toMatchObject({ state: 'ready' });
  });

  it.each([
    ['it can be searched', 'Ready.', 'ready'],
    ['it has failed', '\n', 'failed'],
  ])('once %s', async (_when, text, state) => {
    const id = await service.giveText(giver, text);
    expect(await service.ended(giver, id)).toMatchObject({ state });
    expect(await service.remove(giver, id)).toBe(204);
    await isGone(id);
  });

  it('twice, by two at once: one of them is answered that it is not there', async () => {
    const id = await service.giveText(giver, 'Deleted twice.');
    const answers = await Promise.all([service.remove(giver, id), service.remove(giver, id)]);
    expect(answers.toSorted()).toEqual([204, 404]);
    await isGone(id);
  });
});
