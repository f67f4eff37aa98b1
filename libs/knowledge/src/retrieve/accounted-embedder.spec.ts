import { describe, expect, it } from '@jest/globals';
import type { CallEnding } from '../ports/call-accounts.js';
import { Embedder, EmbeddingError, type Embeddings } from '../ports/embedder.js';
import { AccountedEmbedder } from './accounted-embedder.js';

const VECTORS: Embeddings = { vectors: [Float32Array.of(1, 0)], inputTokens: 3, model: 'm-2' };

/** Embedder and accounts that log their calls in order. */
function aWorld(embed: (signal: AbortSignal) => Promise<Embeddings>) {
  const log: unknown[] = [];
  class Asked extends Embedder {
    override readonly mostTexts = 64;
    override embed(_texts: readonly string[], _dimensions: number, signal: AbortSignal): Promise<Embeddings> {
      log.push('asked');
      return embed(signal);
    }
  }
  const service = { embedder: new Asked(), costOf: (tokens: number) => `0.00${tokens}` };
  const accounts = {
    open: (model: string) => {
      log.push(['open', model]);
      return Promise.resolve(7);
    },
    close: (call: number, ending: CallEnding) => {
      log.push(['close', call, ending]);
      return Promise.resolve();
    },
  };
  const embedder = new AccountedEmbedder(service, 'm', accounts);
  return { log, ask: (signal = new AbortController().signal) => embedder.embed(['Q'], 2, signal) };
}

describe('a call for vectors', () => {
  it('is announced before it is made, and recorded with what it has cost', async () => {
    const { log, ask } = aWorld(() => Promise.resolve(VECTORS));
    expect(await ask()).toBe(VECTORS);
    const ending = { state: 'known', model: 'm-2', inputTokens: 3, costUsd: '0.003' };
    expect(log).toEqual([['open', 'm'], 'asked', ['close', 7, ending]]);
  });

  it('is recorded as unknown where the server does not say', async () => {
    const { log, ask } = aWorld(() => Promise.resolve({ ...VECTORS, inputTokens: null }));
    await ask();
    expect(log[2]).toMatchObject(['close', 7, { state: 'unknown', inputTokens: null, costUsd: null }]);
  });

  it('is recorded with its cost after a failure, too', async () => {
    const failure = new EmbeddingError('busy', 'The server is busy.', true, null, 2);
    const { log, ask } = aWorld(() => Promise.reject(failure));
    await expect(ask()).rejects.toBe(failure);
    const ending = { state: 'failed', model: 'm', inputTokens: 2, costUsd: '0.002' };
    expect(log[2]).toEqual(['close', 7, ending]);
  });

  it('stays as announced after an abort or a crash of its process', async () => {
    const abort = new AbortController();
    const givenUp = aWorld(() => {
      abort.abort();
      return Promise.reject(new EmbeddingError('stopped', 'Given up.', true));
    });
    await expect(givenUp.ask(abort.signal)).rejects.toThrow('Given up.');
    const broken = aWorld(() => Promise.reject(new Error('out of memory')));
    await expect(broken.ask()).rejects.toThrow('out of memory');
    for (const { log } of [givenUp, broken]) expect(log).toEqual([['open', 'm'], 'asked']);
  });
});
