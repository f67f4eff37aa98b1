import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentService, type Giver } from './document-service.js';
import { waitFor } from '../../support/services/wait-for.js';

/** Of all tenants; most of them are of one. */
const DOCUMENTS = 1_000;
const OF_THE_OTHER = 50;
/** Requests under way. */
const AT_ONCE = 20;

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
}, 120_000);
afterAll(() => service.close());

const textOf = ({ tenantId }: Giver, number: number): string => `Number ${number} of ${tenantId}.`;

async function giveMany(giver: Giver, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_none, at) => at).values();
  const giveOneByOne = async (): Promise<void> => {
    for (const number of numbers) await service.giveText(giver, textOf(giver, number));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, giveOneByOne));
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

describe('a thousand documents at once', () => {
  it('are all taken in, each once, and keep no other tenant waiting', async () => {
    await giveMany(flooding, DOCUMENTS - OF_THE_OTHER);
    // From here on everything of one tenant waits, and the other has just come.
    await giveMany(patient, OF_THE_OTHER);
    await Promise.all([service.startWorker(), service.startWorker()]);
    const meanwhile = await waitFor(
      async () => {
        const { ready } = await standingOf(patient);
        return ready === OF_THE_OTHER ? standingOf(flooding) : null;
      },
      { description: 'the tenant that came last', timeoutMs: 300_000, intervalMs: 50 },
    );
    // Turn by turn, but for what was under way.
    expect(meanwhile.ready).toBeLessThan(4 * OF_THE_OTHER);
    await waitFor(async () => (await standingOf(flooding)).ready === DOCUMENTS - OF_THE_OTHER, {
      description: 'all documents',
      timeoutMs: 600_000,
      intervalMs: 250,
    });
    for (const [giver, count] of [
      [flooding, DOCUMENTS - OF_THE_OTHER],
      [patient, OF_THE_OTHER],
    ] as const) {
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
    const asked = (await service.vectorCalls()).flatMap(({ body }) => body.input);
    expect(asked).toHaveLength(DOCUMENTS);
    expect(new Set(asked).size).toBe(DOCUMENTS);
  }, 900_000);
});
