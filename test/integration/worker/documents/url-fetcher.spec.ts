import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedFetch } from '#libs/guarded-fetch';
import { FetchDocumentError } from '#libs/knowledge';
import { UrlFetcher } from '../../../../apps/worker/src/ingest/url-fetcher.js';
import { Receiver } from '../../webhooks/receiver.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const TEXT = '# Rules\n\nParcels go out at noon.\n';

interface Page {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Number of announced bytes that are not sent. */
  readonly missing?: number;
}

let page: Page;
let asked: IncomingHttpHeaders[];
let server: Receiver;
let guarded: GuardedFetch;

beforeEach(async () => {
  [page, asked] = [{}, []];
  server = await Receiver.listen((request, response) => {
    response.on('error', () => undefined);
    asked.push(request.headers);
    const { status = 200, headers = {}, body = TEXT, missing = 0 } = page;
    const length = Buffer.byteLength(body) + missing;
    response.writeHead(status, { ...headers, 'content-length': length });
    if (missing === 0) response.end(body);
    else response.write(body, () => response.destroy());
  });
  guarded = new GuardedFetch({ allowLoopback: true });
});
afterEach(async () => {
  await guarded.close();
  await server.close();
});

const signal = new AbortController().signal;
const fetchFrom = (url: string, by = guarded) => new UrlFetcher(by, { now: () => NOW }).fetch(url, signal);
const at = (path: string): string => new URL(path, server.url).href;

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Expects a `FetchDocumentError`; returns its fields. */
async function refusal(fetching: Promise<unknown>): Promise<Partial<FetchDocumentError>> {
  const error: unknown = await fetching.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FetchDocumentError);
  const { message, isPassing, retryAfterMs, hardlyPasses } = error as FetchDocumentError;
  return { message, isPassing, retryAfterMs, hardlyPasses };
}

describe('the content of a URL', () => {
  it('is fetched byte for byte, with its type and the name in its path, by a request that says nothing of us', async () => {
    page = { headers: { 'content-type': 'text/markdown' } };
    const { bytes, mediaType, fileName } = await fetchFrom(at('/docs/rules.md?v=2'));
    expect([await read(bytes), mediaType, fileName]).toEqual([TEXT, 'text/markdown', 'rules.md']);
    expect(asked[0]).toMatchObject({ 'user-agent': 'capstan', 'accept-encoding': 'identity' });
    expect(asked[0]).not.toHaveProperty('authorization');
  });

  it.each(['/', '/docs/', '/rules', '/%2e%2e%2fpasswd.md'])(
    'has no name where the path is %s',
    async (path) => {
      const { bytes, fileName } = await fetchFrom(at(path));
      expect([await read(bytes), fileName]).toEqual([TEXT, null]);
    },
  );

  it.each([
    [404, {}, ''],
    [403, {}, ''],
    [204, {}, ''],
    [
      301,
      { location: 'http://169.254.169.254/' },
      ' Redirects are not followed: give the URL that it leads to.',
    ],
  ])('is not fetched after the status %i, now or later', async (status, headers, hint) => {
    page = { status, headers, body: '' };
    expect(await refusal(fetchFrom(at('/a')))).toEqual({
      message: `The URL answers with status ${status}, not 200.${hint}`,
      ...{ isPassing: false, retryAfterMs: null, hardlyPasses: false },
    });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [500, {}, null],
    [408, {}, null],
    [429, { 'retry-after': '7' }, 7_000],
    [503, { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
  ])('is fetched again after the status %i, no sooner than it says', async (status, headers, later) => {
    page = { status, headers };
    const message = `The URL answers with status ${status}, not 200.`;
    expect(await refusal(fetchFrom(at('/a')))).toEqual({
      ...{ message, isPassing: true, retryAfterMs: later, hardlyPasses: false },
    });
  });

  it('is not taken where it comes compressed although it was asked not to', async () => {
    page = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(TEXT) };
    const message = 'The URL answers compressed, although it was asked not to.';
    expect(await refusal(fetchFrom(at('/a')))).toMatchObject({ message, isPassing: false });
  });

  it('is asked for again where it breaks off', async () => {
    page = { missing: 10 };
    const { bytes } = await fetchFrom(at('/a'));
    const message = 'What the URL answers breaks off.';
    expect(await refusal(read(bytes))).toMatchObject({ message, isPassing: true });
  });

  it('is fetched again when no server answers', async () => {
    const gone = await Receiver.listen(() => undefined);
    const { url } = gone;
    await gone.close();
    const message = 'The URL cannot be read: connection_failed.';
    expect(await refusal(fetchFrom(url))).toMatchObject({ message, isPassing: true });
  });

  it.each([
    ['there is no such name', 'ENOTFOUND', 'unknown_host', true],
    ['no name server answers', 'EAI_AGAIN', 'unresolved_host', false],
  ])('is asked for again where %s', async (_what, code, reason, hardlyPasses) => {
    const failed = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    const nowhere = new GuardedFetch({
      allowLoopback: false,
      lookup: (_hostname, _options, callback) => callback(failed, ''),
    });
    try {
      const message = `The URL cannot be read: ${reason}.`;
      expect(await refusal(fetchFrom('http://nowhere.example/', nowhere))).toMatchObject({
        ...{ message, isPassing: true, hardlyPasses },
      });
    } finally {
      await nowhere.close();
    }
  });

  it('is never fetched from inside, under any name', async () => {
    const outside = new GuardedFetch({ allowLoopback: false });
    try {
      const message = 'The URL cannot be read: blocked_address.';
      const named = at('/a').replace('127.0.0.1', 'localhost');
      for (const url of [at('/a'), named])
        expect(await refusal(fetchFrom(url, outside))).toMatchObject({ message, isPassing: false });
      expect(asked).toEqual([]);
    } finally {
      await outside.close();
    }
  });
});
