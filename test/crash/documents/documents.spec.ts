import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chosen, whenAllRun } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { readersOf } from '../../support/services/readers-of.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { findBillFaults } from './bill/find-bill-faults.js';
import { IngestionLane, type IngestionRow } from '../services/ingestion-lane.js';

const TIMEOUT_MS = 120_000;
const SECTIONS = 150;
/** The delay of an answer, in milliseconds, before which a test has to act. */
const LATE_MS = 5_000;

/** `count` sections with different texts; an embedding call takes 64 of them. */
const sections = (count: number, mark: string): string =>
  Array.from(
    { length: count },
    (_none, index) => `# Section ${index}\n\nAbout ${mark} number ${index}.\n`,
  ).join('\n');

/** The stage at which the worker is killed, the way it is held there, and the states of the embedding calls in the end. */
interface Place {
  readonly sections: number;
  readonly hold: (lane: IngestionLane) => Promise<() => Promise<void>>;
  readonly is: (row: IngestionRow) => boolean;
  readonly states: readonly string[];
}
const KNOWN = ['known', 'known', 'known'];
const LONG = 3_000;
/** A query for chunks without an embedding finds 500, which are eight calls. */
const KNOWN_LONG = Array.from({ length: (LONG / 500) * 8 }, () => 'known');
const PLACES: Readonly<Record<string, Place>> = {
  parsing: {
    sections: SECTIONS,
    hold: (lane) => lane.holdTenant(),
    is: ({ state }) => state === 'parsing',
    states: KNOWN,
  },
  // Only the amount of work holds it there.
  chunking: {
    sections: LONG,
    hold: () => Promise.resolve(() => Promise.resolve()),
    is: ({ state, chunk_count }) => state === 'chunking' && chunk_count > 0,
    states: KNOWN_LONG,
  },
  embedding: {
    sections: SECTIONS,
    hold: async (lane) => {
      await lane.hangCall(2);
      return () => lane.forgetFaults();
    },
    is: ({ calls, is_call_open }) => calls === 2 && is_call_open,
    states: ['known', 'unknown', 'known', 'known'],
  },
};

describe('a document, with the queue in PostgreSQL', () => {
  survives('postgres');
});
whenAllRun(() => {
  describeWithRedis('a document, with the queue in Redis', () => {
    survives('redis');
  });
});

function survives(backend: QueueBackend): void {
  let lane: IngestionLane;
  let worker: ServiceProcess;
  beforeAll(async () => {
    lane = await IngestionLane.open(backend);
  }, TIMEOUT_MS);
  afterAll(() => lane.close());
  afterEach(async () => {
    await worker.kill();
    await lane.clear();
  });

  const isReady = ({ state }: IngestionRow): boolean => state === 'ready';
  async function expectPaid(): Promise<void> {
    expect(findBillFaults(await lane.vectorCalls(), await lane.usage())).toEqual([]);
  }
  async function liveGenerationOf(documentId: string): Promise<number | null> {
    const { rows } = await lane.database.query<{ live_generation: number | null }>(
      `SELECT live_generation FROM document WHERE id = $1`,
      [documentId],
    );
    return rows[0]?.live_generation ?? null;
  }

  it.each(chosen(Object.keys(PLACES), (name) => name === 'embedding'))(
    'is ingested by another worker after a kill while it is %s, with no text embedded twice',
    async (name) => {
      const place = PLACES[name];
      if (place === undefined) throw new Error(`nothing is held while it is ${name}`);
      const { ingestionId } = await lane.give(sections(place.sections, name));
      const release = await place.hold(lane);
      worker = await lane.startWorker();
      await lane.waitUntil(ingestionId, `the worker to be ${name}`, place.is);
      const { pid } = worker;
      await worker.kill();
      await release();
      await waitFor(() => readersOf(pid).length === 0, { description: 'whoever reads it to end' });
      worker = await lane.startWorker();
      const { chunk_count } = await lane.waitUntil(ingestionId, 'the document', isReady);
      expect(chunk_count).toBe(place.sections);
      expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([
        place.sections,
        place.sections,
      ]);
      const answered = (await lane.vectorCalls()).filter(({ usage }) => usage !== null);
      const texts = answered.flatMap(({ body }) => body.input);
      expect([texts.length, new Set(texts).size]).toEqual([place.sections, place.sections]);
      expect(await lane.usageStates(ingestionId)).toEqual(place.states);
      await expectPaid();
    },
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'is searched after a kill at the end, as soon as another worker finishes it',
      async () => {
        await lane.hangCall(1, LATE_MS);
        worker = await lane.startWorker();
        const { ingestionId, documentId } = await lane.give(sections(10, 'ends'));
        await lane.waitForCall(ingestionId);
        const release = await lane.holdTenant();
        await lane.waitUntil(ingestionId, 'the end', ({ state }) => state === 'indexing');
        await worker.kill();
        await release();
        worker = await lane.startWorker();
        await lane.waitUntil(ingestionId, 'the document', isReady);
        expect(await liveGenerationOf(documentId)).toBe(1);
        expect(await lane.embeddedTexts()).toHaveLength(1);
        await expectPaid();
      },
      TIMEOUT_MS,
    );

    it.each(['SIGKILL', 'SIGTERM'] as const)(
      'is parsed by another process after an end by %s',
      async (signal) => {
        worker = await lane.startWorker();
        const { ingestionId } = await lane.give(sections(SECTIONS, 'read'));
        const reader = await waitFor(() => readersOf(worker.pid)[0], {
          ...{ description: 'whoever reads it', intervalMs: 1 },
        });
        process.kill(reader, signal);
        await lane.waitUntil(ingestionId, 'the document', isReady);
        expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([SECTIONS, SECTIONS]);
        expect(await lane.usageStates(ingestionId)).toEqual(KNOWN);
        await expectPaid();
      },
      TIMEOUT_MS,
    );
  });

  it(
    'is the replacement after a kill during a replacement in its ingestion',
    async () => {
      await lane.hangCall(1);
      worker = await lane.startWorker();
      const others = await lane.files();
      const { ingestionId, documentId } = await lane.give(sections(10, 'old'));
      await lane.waitForCall(ingestionId);
      const next = await lane.replace(documentId, sections(20, 'new'));
      await worker.kill();
      worker = await lane.startWorker();
      await lane.waitUntil(next, 'the document', isReady);
      expect(await lane.row(ingestionId)).toBeNull();
      expect(await liveGenerationOf(documentId)).toBe(2);
      expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([20, 20]);
      expect([await lane.usageStates(ingestionId), await lane.usageStates(next)]).toEqual([
        ['unknown'],
        ['known'],
      ]);
      await waitFor(async () => (await lane.files()).length === others.length + 1, {
        ...{ description: 'the old original to be removed' },
      });
      await expectPaid();
    },
    TIMEOUT_MS,
  );

  it.each(chosen([true, false], (isKilled) => isKilled))(
    'leaves only its cost after its removal during ingestion (its worker is killed: %s)',
    async (isKilled) => {
      await lane.hangCall(1, isKilled ? undefined : LATE_MS);
      // The worker notices the removal by the answer, and not before it by its lease.
      worker = await lane.startWorker({ LEASE_SECONDS: isKilled ? '3' : '120' });
      const others = await lane.files();
      const { ingestionId, documentId } = await lane.give(sections(10, 'removed'));
      await lane.waitForCall(ingestionId);
      expect(await lane.remove(documentId)).toBe('removed');
      if (isKilled) {
        await worker.kill();
        worker = await lane.startWorker();
      } else {
        await waitFor(async () => (await lane.usageStates(ingestionId)).includes('known'), {
          ...{ description: 'the answer that nobody needs' },
        });
      }
      expect([await lane.row(ingestionId), await lane.count('chunk'), await lane.count('embedding')]).toEqual(
        [null, 0, 0],
      );
      await waitFor(async () => (await lane.files()).length === others.length, {
        ...{ description: 'the original to be removed' },
      });
      expect(await lane.usageStates(ingestionId)).toEqual([isKilled ? 'unknown' : 'known']);
      await expectPaid();
    },
    TIMEOUT_MS,
  );
}
