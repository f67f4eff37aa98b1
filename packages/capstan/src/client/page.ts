import { ApiPromise, type ApiAnswer } from './api-promise.js';

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly requestId: string | null;
  /** The page after it; null on the last one. */
  next(): Promise<Page<Item>> | null;
}

interface PageBody<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** Asks for the page at a cursor; null for the first one. */
export type ReadPage<Item> = (cursor: string | null) => Promise<ApiAnswer<PageBody<Item>>>;

/** Promise of the first page of a list; iterating goes over the items of all pages. */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  constructor(read: ReadPage<Item>) {
    super(readPage(read, null));
    // The first page is asked for at once; an error is reported where the promise or the iterator is used.
    this.withResponse().catch(() => undefined);
  }

  /** Goes over the pages. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = await this; page !== null; page = (await page.next()) ?? null)
      yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}

async function readPage<Item>(read: ReadPage<Item>, cursor: string | null): Promise<ApiAnswer<Page<Item>>> {
  const answer = await read(cursor);
  const { data, next_cursor: nextCursor } = answer.data;
  const page: Page<Item> = {
    data,
    nextCursor,
    requestId: answer.requestId,
    next: () => (nextCursor === null ? null : readPage(read, nextCursor).then((next) => next.data)),
  };
  return { ...answer, data: page };
}
