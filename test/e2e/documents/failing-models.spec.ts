import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithRedis } from '../../support/services/test-redis.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';
import { DocumentService, type Giver } from './document-service.js';

describe('a model server that fails while documents are taken in, with the queue in PostgreSQL', () => {
  failsForSome('postgres');
});
describeWithRedis('a model server that fails while documents are taken in, with the queue in Redis', () => {
  failsForSome('redis');
});

/** `count` sections with different texts; an embedding call takes 64 of them. */
const sections = (count: number, mark: string): string =>
  Array.from({ length: count }, (_none, at) => `# ${mark} ${at}\n\nAbout ${mark} number ${at}.\n`).join('\n');

function failsForSome(backend: QueueBackend): void {
  let service: DocumentService;
  let giver: Giver;
  let unaffected: Giver;
  beforeAll(async () => {
    service = await DocumentService.open(backend);
    await service.startWorker();
    giver = await service.addGiver('giver', { chunkTokens: 64 });
    unaffected = await service.addGiver('unaffected');
  });
  afterEach(() => service.heal());
  afterAll(() => service.close());

  const stepsOf = async (id: string): Promise<{ tries: number; waits_ms: number }> => {
    const [row] = await service.dataSource.query<[{ tries: number; waits_ms: number }]>(
      `SELECT tries, round(extract(epoch FROM due_at - now()) * 1000)::int AS waits_ms
         FROM document_ingestion WHERE document_id = $1`,
      [id],
    );
    return row;
  };
  /** Makes a postponed ingestion due now. */
  const hurry = (id: string): Promise<unknown> =>
    service.dataSource.query(`UPDATE document_ingestion SET due_at = now() WHERE document_id = $1`, [id]);

  it.each([
    ['in the first call', 'vectors', 1],
    ['in the middle', 'middle', 2],
    ['in the last call', 'last', 3],
  ])(
    'by other dimensions than the datasource has %s fails that document at once, and no other',
    async (_when, mark, call) => {
      await service.breakVectors(mark, { kind: 'other_dimensions', dimensions: 5 }, { call });
      const id = await service.giveText(giver, sections(150, mark));
      const others = await Promise.all([1, 2, 3].map((n) => service.giveText(unaffected, `Number ${n}.`)));
      expect(await service.ended(giver, id)).toMatchObject({
        state: 'failed',
        error_code: 'EMBEDDING_FAILED',
        error_text: expect.stringMatching(/one vector of 8 components.*`dimensions` of the datasource/),
        live_generation: null,
      });
      for (const other of others)
        expect(await service.ended(unaffected, other)).toMatchObject({ state: 'ready' });
      expect(await service.leftBehind(giver)).toMatchObject({ document: 1, chunk: 0, embedding: 0 });
      expect(await service.remove(giver, id)).toBe(204);
      await service.expectNothingLeft(giver);
    },
  );

  it('for ever is asked eight times, each later than the one before; then the document says so', async () => {
    await service.breakVectors('for ever', { kind: 'server_error', status: 503 });
    const id = await service.giveText(giver, 'It fails for ever.');
    const other = await service.giveText(unaffected, 'It does not.');
    const waits: number[] = [];
    for (let tries = 1; tries < 8; tries += 1) {
      const { waits_ms } = await waitFor(
        async () => {
          const steps = await stepsOf(id);
          return steps.tries === tries ? steps : null;
        },
        { description: `failure ${tries}` },
      );
      waits.push(waits_ms);
      await hurry(id);
    }
    expect(await service.ended(giver, id)).toMatchObject({ state: 'failed', error_code: 'EMBEDDING_FAILED' });
    expect(await service.ended(unaffected, other)).toMatchObject({ state: 'ready' });
    expect(waits.toSorted((one, next) => one - next)).toEqual(waits);
    const calls = (await service.vectorCalls()).filter(({ body }) => body.input.join().includes('for ever'));
    expect(calls).toHaveLength(8);
    await service.remove(giver, id);
    await service.expectNothingLeft(giver);
  });

  it('by 429 is left alone for as long as it asks, and asked no sooner', async () => {
    await service.breakVectors('busy', { kind: 'rate_limited', retry_after: 120 }, { call: 1 });
    const id = await service.giveText(giver, 'A busy one.');
    const other = await service.giveText(unaffected, 'An idle one.');
    const { waits_ms } = await waitFor(
      async () => {
        const steps = await stepsOf(id);
        return steps.tries === 1 ? steps : null;
      },
      { description: 'the refusal' },
    );
    expect(waits_ms).toBeGreaterThan(60_000);
    expect(waits_ms).toBeLessThanOrEqual(120_000);
    expect(await service.ended(unaffected, other)).toMatchObject({ state: 'ready' });
    const { body } = await service.read(giver, id);
    expect(body).toMatchObject({
      ...{ state: 'embedding', error_code: null },
      last_error: { code: 'EMBEDDING_FAILED', text: expect.any(String), tries: 1 },
    });
    expect(Date.parse(body.last_error?.next_try_at ?? '') - Date.now()).toBeGreaterThan(60_000);
    await hurry(id);
    expect(await service.ended(giver, id)).toMatchObject({ state: 'ready', last_error: null });
    await service.remove(giver, id);
    await service.expectNothingLeft(giver);
  });
}
