/**
 * What came back over HTTP, as far as this library and the official client read it. A `Response` of the platform would
 * do, at the price of several web streams for every call: that is most of what a short call costs the processor.
 */
export class HttpAnswer {
  readonly ok: boolean;

  constructor(
    readonly url: string,
    readonly status: number,
    readonly headers: Headers,
    /** Read once; null where the status says that there is none. */
    readonly body: AsyncIterable<Uint8Array> | null,
  ) {
    this.ok = status >= 200 && status < 300;
  }

  /** The whole body. A byte order mark is left out. */
  async text(): Promise<string> {
    const pieces: Uint8Array[] = [];
    if (this.body !== null) for await (const piece of this.body) pieces.push(piece);
    return new TextDecoder().decode(Buffer.concat(pieces));
  }

  /** For the client, which is typed for the platform's. It reads nothing of a response that an `HttpAnswer` has not. */
  asResponse(): Response {
    return this as unknown as Response;
  }
}
