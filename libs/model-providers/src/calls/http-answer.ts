/**
 * HTTP response with the members that this library and the official client read. The platform's `Response` creates
 * several web streams per call, which dominate the processor time of short calls.
 */
export class HttpAnswer {
  readonly ok: boolean;

  constructor(
    readonly url: string,
    readonly status: number,
    readonly headers: Headers,
    /** Single-use; null if the status permits no body. */
    readonly body: AsyncIterable<Uint8Array> | null,
  ) {
    this.ok = status >= 200 && status < 300;
  }

  /** The whole body as text, without a byte order mark. */
  async text(): Promise<string> {
    const pieces: Uint8Array[] = [];
    if (this.body !== null) for await (const piece of this.body) pieces.push(piece);
    return new TextDecoder().decode(Buffer.concat(pieces));
  }

  /** Casts for the client, which is typed for the platform's `Response` and only reads the members of this class. */
  asResponse(): Response {
    return this as unknown as Response;
  }
}

/** The body as JSON, or `undefined` if it is not JSON. */
export async function readJson(response: Pick<Response, 'text'>): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
