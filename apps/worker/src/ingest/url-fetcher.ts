import { AnswerBrokenOff, type FetchFailureReason, type GuardedFetch } from '#libs/guarded-fetch';
import { DocumentFetcher, FetchDocumentError, type FetchedDocument } from '#libs/knowledge';
import { readRetryAfter, type Clock } from '#libs/kernel';

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'capstan' };

/** Failures that are permanent and not the server's fault. */
const LASTING: ReadonlySet<FetchFailureReason> = new Set(['invalid_url', 'blocked_address']);

/** Downloads documents through the guarded fetch: only public addresses, no redirects, limited bytes and time. */
export class UrlFetcher extends DocumentFetcher {
  constructor(
    private readonly guarded: GuardedFetch,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    super();
  }

  override async fetch(url: string, signal: AbortSignal): Promise<FetchedDocument> {
    const answer = await this.guarded.open({ url, method: 'GET', headers: HEADERS, signal });
    if (answer.kind === 'unanswered') {
      const { reason } = answer;
      const text = `The URL cannot be read: ${reason}.`;
      throw new FetchDocumentError(text, !LASTING.has(reason), null, reason === 'unknown_host');
    }
    const { statusCode, headers, body } = answer;
    const single = (name: string): string | null => [headers[name] ?? null].flat()[0] ?? null;
    if (statusCode !== 200) {
      await leave(body);
      const isPassing = statusCode >= 500 || statusCode === 408 || statusCode === 429;
      const retryAfterMs = readRetryAfter(single('retry-after'), this.clock.now());
      const isRedirect = statusCode >= 300 && statusCode < 400;
      const hint = isRedirect ? ' Redirects are not followed: give the URL that it leads to.' : '';
      const text = `The URL answers with status ${statusCode}, not 200.${hint}`;
      throw new FetchDocumentError(text, isPassing, retryAfterMs);
    }
    const encoding = single('content-encoding');
    if (encoding !== null && encoding !== 'identity') {
      await leave(body);
      throw new FetchDocumentError('The URL answers compressed, although it was asked not to.', false);
    }
    return { bytes: whole(body), mediaType: single('content-type'), fileName: nameIn(url) };
  }
}

/** Reads the first chunk and then cancels the body, because an unread body keeps its connection open. */
async function leave(body: AsyncIterable<Uint8Array>): Promise<void> {
  const reading = body[Symbol.asyncIterator]();
  await reading.next().catch(() => undefined);
  await reading.return?.();
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    if (error instanceof AnswerBrokenOff)
      throw new FetchDocumentError('What the URL answers breaks off.', true);
    throw error;
  }
}

/** The last path segment if it looks like a file name. */
function nameIn(url: string): string | null {
  const name = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return /^[^%]+\.[a-zA-Z0-9]{1,8}$/.test(name) ? name : null;
}
