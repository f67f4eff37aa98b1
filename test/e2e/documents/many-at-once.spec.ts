import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentService, type Giver } from './document-service.js';
import { waitFor } from '../../support/services/wait-for.js';
import { findBillFaults, type UsageRow } from '../../crash/documents/bill/find-bill-faults.js';

/** The number of documents of both tenants; DOCUMENTS_AT_ONCE=1000 is more than a run of all tests has time for. */
const DOCUMENTS = Number(process.env['DOCUMENTS_AT_ONCE'] ?? 80);
const OF_THE_OTHER = 15;
/** The number of concurrent requests. */
const AT_ONCE = 20;
/** The most documents that workers may have begun or queued before the last one of the other tenant. */
const UNDER_WAY = 20;

let service: DocumentService;
let flooding: Giver;
let patient: Giver;
beforeAll(async () => {
  service = await DocumentService.open('postgres', {
    INGEST_CONCURRENCY: '2',
    EMBEDDING_CALLS_PER_MINUTE: '0',
  });
  flooding = await service.addGiver('flooding');
  patient = await service.addGiver('patient');
});
afterAll(() => service.close());

const textOf = ({ tenantId }: Giver, number: number): string => `Number ${number} of ${tenantId}.`;

/** Uploads a number of documents; returns their ids. */
async function giveMany(giver: Giver, count: number): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_none, at) => at).values();
  const ids: string[] = [];
  const giveOneByOne = async (): Promise<void> => {
    for (const number of numbers) ids.push(await service.giveText(giver, textOf(giver, number)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, giveOneByOne));
  return ids;
}

interface Standing {
  readonly ready: number;
  readonly failed: number;
}

async function standingOf({ tenantId }: Giver): Promise<Standing> {
  const [row] = await service.dataSource.query<[Standing]>(
    `SELECT count(*) FILTER (WHERE state = 'ready')::int AS ready, count(*) FILTER (WHERE state = 'failed')::int AS failed
       FROM document_ingestion WHERE tenant_id = $1`,
    [tenantId],
  );
  return row;
}

describe('very many documents at once', () => {
  it('are all taken in, each once, and keep no other tenant waiting', async () => {
    const flood = await giveMany(flooding, DOCUMENTS - OF_THE_OTHER);
    // All documents of one tenant wait before those of the other arrive.
    const few = await giveMany(patient, OF_THE_OTHER);
    await Promise.all([service.startWorker(), service.startWorker()]);
    const meanwhile = await waitFor(
      async () => {
        const { ready } = await standingOf(patient);
        return ready === OF_THE_OTHER ? standingOf(flooding) : null;
      },
      { description: 'the tenant that came last', timeoutMs: 300_000, intervalMs: 50 },
    );
    // The tenants take turns, except for documents already under way.
    expect(meanwhile.ready).toBeLessThan(2 * OF_THE_OTHER + UNDER_WAY);
    await waitFor(async () => (await standingOf(flooding)).ready === DOCUMENTS - OF_THE_OTHER, {
      description: 'all documents',
      timeoutMs: 600_000,
      intervalMs: 250,
    });
    for (const [giver, ids] of [
      [flooding, flood],
      [patient, few],
    ] as const) {
      const count = ids.length;
      expect(new Set(ids).size).toBe(count);
      for (const id of ids) {
        const { status, body } = await service.read(giver, id);
        expect([status, body.state, body.error_code]).toEqual([200, 'ready', null]);
      }
      expect(await standingOf(giver)).toEqual({ ready: count, failed: 0 });
      expect(await service.leftBehind(giver)).toMatchObject({
        ...{ document: count, document_ingestion: count, chunk: count, embedding: count },
        ...{ files: count, blob_disposal: 0 },
      });
      const texts = await service.dataSource.query<{ text: string }[]>(
        `SELECT text FROM chunk WHERE tenant_id = $1`,
        [giver.tenantId],
      );
      const expected = Array.from({ length: count }, (_none, number) => textOf(giver, number));
      expect(texts.map(({ text }) => text).toSorted()).toEqual(expected.toSorted());
    }
    const calls = await service.vectorCalls();
    const asked = calls.flatMap(({ body }) => body.input);
    expect(asked).toHaveLength(DOCUMENTS);
    expect(new Set(asked).size).toBe(DOCUMENTS);
    const usage = await service.dataSource.query<UsageRow[]>(
      `SELECT purpose, state, total_tokens::int FROM usage_log`,
    );
    expect(usage).toHaveLength(calls.length);
    expect(findBillFaults(calls, usage)).toEqual([]);
  }, 900_000);
});
