import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { modelProviders } from '#libs/model-providers';
import { startSimulator, type RunningSimulator } from '../../../apps/simulator/src/simulator.js';
import { connectionTo } from '../../support/services/open-model.js';
import { ASKED_PROVIDERS } from './wires.js';

const MODEL = 'sim-embedding';
let simulator: RunningSimulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
afterEach(() => control('DELETE', '/faults'));

async function control(method: string, path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(new URL(`/__control${path}`, simulator.url), {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
}

const embed = (
  provider: string,
  texts: readonly string[],
  more: { model?: string; timeoutMs?: number } = {},
) =>
  modelProviders
    .get(provider)
    .embedder(
      connectionTo({ baseUrl: simulator.url, apiKey: 'sk-secret', timeoutMs: more.timeoutMs ?? 5_000 }),
      more.model ?? MODEL,
    )
    .embed(texts, 8, new AbortController().signal);

/** Cosine similarity of two vectors of length 1. */
const likeness = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  [...(a ?? [])].reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);

describe.each(ASKED_PROVIDERS)('vectors by %s', (provider) => {
  it('are one for each text, in their order, with what they cost', async () => {
    const { vectors, inputTokens, model } = await embed(provider, [
      'roma tomatoes',
      'butter',
      'roma tomatoes',
    ]);
    expect(vectors.map((vector) => vector.length)).toEqual([8, 8, 8]);
    expect(likeness(vectors[0], vectors[2])).toBeCloseTo(1, 5);
    expect(likeness(vectors[0], vectors[1])).toBeLessThan(0.99);
    expect(inputTokens).toBeGreaterThan(0);
    expect(model).toBe(MODEL);
  });

  it.each([
    [
      { kind: 'rate_limited', retry_after: 7 },
      { reason: 'rate_limited', isPassing: true, retryAfterMs: 7_000 },
    ],
    [{ kind: 'server_error' }, { isPassing: true }],
    [{ kind: 'reset_before_headers' }, { reason: 'connection_failed', isPassing: true }],
    [{ kind: 'unauthorized' }, { reason: 'invalid_credentials', isPassing: false }],
    [{ kind: 'insufficient_quota' }, { reason: 'insufficient_quota', isPassing: false }],
    [{ kind: 'html_page' }, { reason: 'invalid_response' }],
    [{ kind: 'empty_body' }, { reason: 'invalid_response' }],
  ])('say why there are none: %j', async (fault, expected) => {
    await control('POST', '/faults', { faults: [{ on: { endpoint: 'embeddings' }, fault }] });
    await expect(embed(provider, ['a'])).rejects.toMatchObject({ name: 'EmbeddingError', ...expected });
  });

  it('are abandoned after a timeout, or when their caller leaves', async () => {
    await control('POST', '/faults', {
      faults: [{ on: { endpoint: 'embeddings' }, fault: { kind: 'hang_before_headers' } }],
    });
    await expect(embed(provider, ['a'], { timeoutMs: 50 })).rejects.toMatchObject({
      reason: 'request_timeout',
    });
  });

  it('never say the key', async () => {
    await expect(embed(provider, ['a'], { model: 'sk-secret' })).rejects.toMatchObject({
      reason: 'model_not_found',
      message: expect.not.stringContaining('sk-secret'),
    });
  });
});
