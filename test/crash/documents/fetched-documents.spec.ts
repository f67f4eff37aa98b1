import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { findBillFaults } from './bill/find-bill-faults.js';
import { FETCHING_WORKER } from '../services/crash-programs.js';
import { HeldPage, type HeldAt } from '../services/held-page.js';
import { IngestionLane } from '../services/ingestion-lane.js';

const TIMEOUT_MS = 120_000;
const SECTIONS = 20;
const PAGE = Array.from(
  { length: SECTIONS },
  (_none, index) => `# Section ${index}\n\nAbout page number ${index}.\n`,
).join('\n');

describe('a document at a URL, with the queue in PostgreSQL', () => {
  survives('postgres');
});
describeWithRedis('a document at a URL, with the queue in Redis', () => {
  survives('redis');
});

function survives(backend: QueueBackend): void {
  let lane: IngestionLane;
  let worker: ServiceProcess;
  let page: HeldPage;
  beforeAll(async () => {
    lane = await IngestionLane.open(backend);
  }, TIMEOUT_MS);
  afterAll(() => lane.close());
  afterEach(async () => {
    await worker.kill();
    await page.close();
    await lane.clear();
    await lane.endAnnouncements();
  });

  /** Waits until `count` files exist that are not among the others. */
  async function untilNew(others: readonly string[], count: number, description: string): Promise<void> {
    const isSo = async (): Promise<boolean> => {
      const files = await lane.files();
      return files.filter((name) => !others.includes(name)).length === count;
    };
    await waitFor(isSo, { description });
  }
  const startWorker = (): Promise<ServiceProcess> => lane.startWorker({}, FETCHING_WORKER);

  it.each<HeldAt>(['nothing', 'head', 'half'])(
    'is fetched again by another worker after a kill during the fetch, with %s of the answer',
    async (heldAt) => {
      const others = await lane.files();
      page = await HeldPage.open(PAGE, heldAt);
      const { ingestionId } = await lane.giveUrl(page.url);
      worker = await startWorker();
      await page.untilHeld();
      expect(await lane.row(ingestionId)).toMatchObject({ state: 'fetching', chunk_count: 0, calls: 0 });
      if (heldAt === 'half') await untilNew(others, 1, 'what has come to be on its way into the store');
      await worker.kill();
      worker = await startWorker();
      const { chunk_count } = await lane.waitUntil(
        ingestionId,
        'the document',
        ({ state }) => state === 'ready',
      );
      expect([page.asked, chunk_count]).toEqual([2, SECTIONS]);
      expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([SECTIONS, SECTIONS]);
      const texts = (await lane.embeddedTexts()).flat();
      expect([texts.length, new Set(texts).size]).toEqual([SECTIONS, SECTIONS]);
      expect(await lane.usageStates(ingestionId)).toEqual(['known']);
      expect(findBillFaults(await lane.vectorCalls(), await lane.usage())).toEqual([]);
      // The partial file of the first worker is removed once its announcement expires.
      await lane.endAnnouncements();
      await untilNew(others, 1, 'what was left of it to be removed');
    },
    TIMEOUT_MS,
  );

  it(
    'leaves nothing after its removal during the fetch',
    async () => {
      const others = await lane.files();
      page = await HeldPage.open(PAGE, 'half');
      const { ingestionId, documentId } = await lane.giveUrl(page.url);
      worker = await startWorker();
      await untilNew(others, 1, 'what has come to be on its way into the store');
      expect(await lane.remove(documentId)).toBe('removed');
      // The worker notices the removal when it renews its lease, and aborts.
      await untilNew(others, 0, 'what has come to be removed');
      expect([await lane.row(ingestionId), await lane.count('chunk'), await lane.count('embedding')]).toEqual(
        [null, 0, 0],
      );
      expect(await lane.vectorCalls()).toEqual([]);
    },
    TIMEOUT_MS,
  );
}
