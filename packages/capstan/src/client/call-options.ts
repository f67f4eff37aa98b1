/** Options of one call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time of one try in ms, in place of the client’s. */
  readonly timeout?: number | undefined;
  /** Tries after the first one, in place of the client’s; 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Key of a POST, 1 to 255 visible ASCII characters; by default a new one for each call, kept over its retries. */
  readonly idempotencyKey?: string | undefined;
  /** Further headers; they win over those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How much of an upload has been sent. */
export interface UploadProgress {
  readonly sentBytes: number;
  /** Size of the whole request. */
  readonly totalBytes: number;
}

export interface UploadOptions extends CallOptions {
  /** Called as bytes are sent, in browsers and where `fetch` takes streams; each retry begins at 0 again. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}
