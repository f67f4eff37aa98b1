import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { compatibleProvider } from '../openai-compatible/compatible-provider.js';
import { KnownHabits } from './embedding-habits.js';

interface Asked extends JsonObject {
  readonly input: readonly string[];
}
type Refuse = (asked: Asked) => { readonly status: number; readonly body: object } | null;

const NO_MATRYOSHKA = {
  status: 400,
  body: { object: 'error', message: 'Model "m" does not support matryoshka representation', code: 400 },
};
const TOO_MANY = {
  status: 400,
  body: { error: { message: 'batch size is invalid, it should not be larger than 10.: input.contents' } },
};

let server: Server;
let refuse: Refuse = () => null;
let asked: Asked[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of request) pieces.push(piece as Uint8Array);
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Asked;
      asked.push(body);
      const refusal = refuse(body);
      const data = body.input.map((text, index) => ({ index, embedding: [Number(text), 1] }));
      response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refusal?.body ?? { data, usage: { prompt_tokens: body.input.length } }));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
afterEach(() => {
  refuse = () => null;
  asked = [];
});

function openEmbedder(known: KnownHabits, options: JsonObject = {}) {
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const connection = {
    apiKey: null,
    baseUrl,
    organization: null,
    timeoutMs: 30_000,
    firstByteMs: 30_000,
    options,
  };
  const embedder = compatibleProvider.embedder(connection, 'm', known);
  return {
    get mostTexts() {
      return embedder.mostTexts;
    },
    embed: (texts: readonly string[]) => embedder.embed(texts, 2, new AbortController().signal),
  };
}
const numbers = (count: number) => Array.from({ length: count }, (_none, at) => String(at));
const sizes = () => asked.map(({ input }) => input.length);

describe('a server of vectors', () => {
  it('with a refusal of dimensions is never asked with them again', async () => {
    refuse = ({ dimensions }) => (dimensions === undefined ? null : NO_MATRYOSHKA);
    const known = new KnownHabits();
    expect((await openEmbedder(known).embed(['1'])).vectors).toHaveLength(1);
    await openEmbedder(known).embed(['2']);
    expect(asked.map(({ dimensions }) => dimensions ?? null)).toEqual([2, null, null]);
  });

  it('with a refusal of a format is asked without it', async () => {
    refuse = ({ encoding_format: format }) =>
      format === undefined
        ? null
        : { status: 422, body: { detail: [{ loc: ['body', 'encoding_format'], msg: 'extra' }] } };
    await openEmbedder(new KnownHabits()).embed(['1']);
    expect(asked.map(({ encoding_format: format }) => format ?? null)).toEqual(['base64', null]);
  });

  it('with a limit of ten texts gets ten at a time, in order, and no more from then on', async () => {
    refuse = ({ input }) => (input.length > 10 ? TOO_MANY : null);
    const embedder = openEmbedder(new KnownHabits());
    const { vectors, inputTokens } = await embedder.embed(numbers(25));
    expect(vectors.map(([first]) => first)).toEqual(numbers(25).map(Number));
    expect(inputTokens).toBe(25);
    expect(sizes()).toEqual([25, 10, 10, 5]);
    expect(embedder.mostTexts).toBe(10);
  });

  it('with a refusal without a reason gets half of the texts, which is not remembered', async () => {
    refuse = ({ input }) => (input.length > 3 ? { status: 400, body: { message: 'no' } } : null);
    const embedder = openEmbedder(new KnownHabits());
    expect((await embedder.embed(numbers(6))).vectors).toHaveLength(6);
    expect(sizes()).toEqual([6, 3, 3]);
    expect(embedder.mostTexts).toBe(64);
  });

  it('with a refusal of a single text is asked once, and its message is shown', async () => {
    refuse = () => ({ status: 400, body: { detail: 'the text is too long' } });
    await expect(openEmbedder(new KnownHabits()).embed(['1'])).rejects.toMatchObject({
      name: 'EmbeddingError',
      message: '[400] the text is too long',
    });
    expect(asked).toHaveLength(1);
  });

  it('is asked as its model configuration says', async () => {
    const options = { embedding_dimensions: false, embedding_batch_size: 5 };
    const embedder = openEmbedder(new KnownHabits(), options);
    await embedder.embed(['1']);
    expect(embedder.mostTexts).toBe(5);
    expect(asked[0]).not.toHaveProperty('dimensions');
  });
});
