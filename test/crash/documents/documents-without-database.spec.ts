import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../apps/migrate/src/migrate.js';
import { seed } from '../../../apps/migrate/src/seed.js';
import { chosen } from '../../support/selection.js';
import { databasesFolder } from '../../support/services/run-folder.js';
import { requireServiceAddress } from '../../support/services/service-address.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import { findBillFaults } from './bill/find-bill-faults.js';
import { PostgresServer } from '../chaos/cluster/postgres-server.js';
import { IngestionLane, type IngestionRow } from '../services/ingestion-lane.js';

const TIMEOUT_MS = 180_000;
const LONG = 3_000;
/** The delay of an answer, in milliseconds, before which a test has to act. */
const LATE_MS = 5_000;

let server: PostgresServer;
let lane: IngestionLane;
let worker: ServiceProcess;
beforeAll(async () => {
  // The folder is removed with that of the run.
  const home = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
  server = await PostgresServer.start(home);
  await migrate(server.url);
  await seed(server.url, 'default', { provider: 'openai', model: 'sim-echo' });
  const drop = () => Promise.resolve();
  lane = await IngestionLane.open('postgres', { url: server.url, drop });
}, TIMEOUT_MS);
afterAll(async () => {
  await lane.close();
  await server.stop();
}, TIMEOUT_MS);
afterEach(async () => {
  await worker.kill();
  await lane.clear();
});

const sections = (count: number, mark: string): string =>
  Array.from({ length: count }, (_none, at) => `# Section ${at}\n\nAbout ${mark} number ${at}.\n`).join('\n');

/** The stage at which the database crashes, and the delay of the embedding call before it, in milliseconds. */
const MIDDLES: Readonly<
  Record<
    string,
    { readonly sections: number; readonly lateMs: number; readonly is: (row: IngestionRow) => boolean }
  >
> = {
  chunking: {
    sections: LONG,
    lateMs: 0,
    is: ({ state, chunk_count }) => state === 'chunking' && chunk_count > 0,
  },
  embedding: { sections: 10, lateMs: LATE_MS, is: ({ is_call_open }) => is_call_open },
  indexing: { sections: 10, lateMs: LATE_MS, is: ({ state }) => state === 'indexing' },
};

describe('a database that is killed', () => {
  it.each(chosen(Object.keys(MIDDLES), (name) => name === 'embedding'))(
    'in the middle of %s a document has it taken in all the same, and each call has its row',
    async (name) => {
      const middle = MIDDLES[name];
      if (middle === undefined) throw new Error(`nobody is ${name}`);
      if (middle.lateMs > 0) await lane.hangCall(1, middle.lateMs);
      worker = await lane.startWorker();
      const { ingestionId, documentId } = await lane.give(sections(middle.sections, name));
      let release = (): Promise<void> => Promise.resolve();
      if (name === 'indexing') {
        await lane.waitForCall(ingestionId);
        release = await lane.holdTenant();
      }
      await lane.waitUntil(ingestionId, `it to be ${name}`, middle.is);
      await server.kill();
      await release();
      await server.restart();
      const { chunk_count } = await waitFor(
        async () => {
          const row = await lane.row(ingestionId);
          return row?.state === 'ready' ? row : null;
        },
        { description: 'the document', timeoutMs: 120_000, intervalMs: 50 },
      );
      expect(chunk_count).toBe(middle.sections);
      expect([await lane.count('chunk'), await lane.count('embedding')]).toEqual([
        middle.sections,
        middle.sections,
      ]);
      const { rows } = await lane.database.query(`SELECT live_generation FROM document WHERE id = $1`, [
        documentId,
      ]);
      expect(rows).toEqual([{ live_generation: 1 }]);
      expect(findBillFaults(await lane.vectorCalls(), await lane.usage())).toEqual([]);
      expect(worker.hasEnded).toBe(false);
    },
    TIMEOUT_MS,
  );
});
