import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceProcess } from '../support/services/service-process.js';
import { waitFor } from '../support/services/wait-for.js';
import { IngestionLane } from './services/ingestion-lane.js';

let lane: IngestionLane;
let worker: ServiceProcess | null = null;
beforeAll(async () => {
  lane = await IngestionLane.open('postgres');
}, 120_000);
afterAll(() => lane.close());
afterEach(async () => {
  await worker?.kill();
  await lane.forget();
  await lane.database.query(`DELETE FROM document; DELETE FROM embedding; DELETE FROM usage_log`);
});

/** So many sections that differ; a call takes 64 of them. */
const sections = (count: number, mark: string): string =>
  Array.from(
    { length: count },
    (_none, index) => `# Section ${index}\n\nAbout ${mark} number ${index}.\n`,
  ).join('\n');

/** Where a worker is killed, and how it is held there. */
const PLACES = {
  parsing: async () => {
    const release = await lane.holdTenant();
    return { is: (row: { state: string }) => row.state === 'parsing', release };
  },
  embedding: async () => {
    await lane.hangCall(2);
    const is = (row: { calls: number; is_call_open: boolean }) => row.calls === 2 && row.is_call_open;
    return { is, release: () => lane.forget() };
  },
} as const;

describe('a document whose worker is killed', () => {
  it.each(['parsing', 'embedding'] as const)(
    'at %s is taken in by another, and nothing is embedded twice',
    async (place) => {
      const { ingestionId } = await lane.give(sections(150, place));
      const { is, release } = await PLACES[place]();
      worker = await lane.startWorker();
      await lane.waitUntil(ingestionId, `the worker to be at ${place}`, is);
      await worker.kill();
      const asked = await lane.embeddedTexts();
      await release();
      worker = await lane.startWorker();
      const { chunk_count } = await lane.waitUntil(
        ingestionId,
        'the document',
        ({ state }) => state === 'ready',
      );
      expect(chunk_count).toBe(150);
      expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([150, 150]);
      const later = (await lane.embeddedTexts()).flat();
      const answered = place === 'embedding' ? (asked[0] ?? []) : [];
      expect([...answered, ...later].sort()).toEqual([...new Set([...answered, ...later])].sort());
      expect([...answered, ...later]).toHaveLength(150);
      const lost =
        place === 'embedding' ? ['known', 'unknown', 'known', 'known'] : ['known', 'known', 'known'];
      expect(await lane.usageStates(ingestionId)).toEqual(lost);
    },
  );

  it('at the end is searched as soon as another has ended it', async () => {
    await lane.hangCall(1);
    worker = await lane.startWorker();
    const { ingestionId, documentId } = await lane.give(sections(10, 'ends'));
    await lane.waitUntil(ingestionId, 'the call', ({ is_call_open }) => is_call_open);
    await worker.kill();
    const release = await lane.holdTenant();
    await lane.forget();
    worker = await lane.startWorker();
    await lane.waitUntil(ingestionId, 'the end', ({ state }) => state === 'indexing');
    await worker.kill();
    await release();
    worker = await lane.startWorker();
    await lane.waitUntil(ingestionId, 'the document', ({ state }) => state === 'ready');
    const { rows } = await lane.database.query(`SELECT live_generation FROM document WHERE id = $1`, [
      documentId,
    ]);
    expect(rows).toEqual([{ live_generation: 1 }]);
    expect(await lane.embeddedTexts()).toHaveLength(1);
  });
});

it('a document that is removed while it is taken in leaves nothing behind', async () => {
  await lane.hangCall(1);
  worker = await lane.startWorker();
  const others = await lane.files();
  const { ingestionId, documentId } = await lane.give(sections(10, 'removed'));
  await lane.waitUntil(ingestionId, 'the call', ({ is_call_open }) => is_call_open);
  expect(await lane.remove(documentId)).toBe('removed');
  await lane.forget();
  expect([await lane.row(ingestionId), await lane.count('chunk'), await lane.count('embedding')]).toEqual([
    null,
    0,
    0,
  ]);
  await waitFor(async () => (await lane.files()).length === others.length, {
    description: 'the original to be removed',
  });
});
