/** What stood at a URL. */
export interface FetchedDocument {
  /** Throws {@link FetchDocumentError} where it breaks off. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly mediaType: string | null;
  readonly fileName: string | null;
}

/** Why nothing came. */
export class FetchDocumentError extends Error {
  /**
   * @param message for people: no exception text, no address that the URL does not name
   * @param hardlyPasses it may pass, and hardly ever does: it is given up sooner
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

/** Gets documents from URLs that tenants name: never from an internal address. */
export abstract class DocumentFetcher {
  /** Throws {@link FetchDocumentError}. */
  abstract fetch(url: string, signal: AbortSignal): Promise<FetchedDocument>;
}
