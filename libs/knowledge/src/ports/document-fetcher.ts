/** A document fetched from a URL. */
export interface FetchedDocument {
  /** Throws {@link FetchDocumentError} if the transfer breaks. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly mediaType: string | null;
  readonly fileName: string | null;
}

export class FetchDocumentError extends Error {
  /**
   * @param message text for people, without exception text or addresses that the URL does not name
   * @param hardlyPasses transient but persistent in most cases: fewer retries
   */
  constructor(
    message: string,
    readonly isPassing: boolean,
    readonly retryAfterMs: number | null = null,
    readonly hardlyPasses = false,
  ) {
    super(message);
    this.name = 'FetchDocumentError';
  }
}

/** Fetches documents from tenants' URLs, never from internal addresses. */
export abstract class DocumentFetcher {
  /** Throws {@link FetchDocumentError}. */
  abstract fetch(url: string, signal: AbortSignal): Promise<FetchedDocument>;
}
