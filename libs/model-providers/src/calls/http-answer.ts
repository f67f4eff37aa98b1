const UTF_8 = new TextDecoder();

/**
 * HTTP response with the members that this library and the official client read. The platform's `Response` creates
 * several web streams per call, which dominate the processor time of short calls.
 */
export class HttpAnswer {
  readonly ok: boolean;
  private built: Headers | null = null;

  constructor(
    readonly url: string,
    readonly status: number,
    /** Headers by their names in lower case. */
    private readonly received: Readonly<Record<string, string | string[] | undefined>>,
    /** Single-use; null if the status permits no body. */
    readonly body: AsyncIterable<Uint8Array> | null,
  ) {
    this.ok = status >= 200 && status < 300;
  }

  /** All headers. They are built for the first reader, since most answers are read by `get` alone. */
  get headers(): Headers {
    this.built ??= toHeaders(this.received);
    return this.built;
  }

  /**
   * One header, or null; values of a repeated one are joined by commas.
   *
   * @param name in lower case
   */
  get(name: string): string | null {
    const value = this.received[name];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  /** The whole body as text, without a byte order mark. */
  async text(): Promise<string> {
    const pieces: Uint8Array[] = [];
    if (this.body !== null) for await (const piece of this.body) pieces.push(piece);
    return UTF_8.decode(Buffer.concat(pieces));
  }

  /** The same answer with another body. */
  withBody(body: AsyncIterable<Uint8Array>): HttpAnswer {
    return new HttpAnswer(this.url, this.status, this.received, body);
  }

  /** Casts for the client, which is typed for the platform's `Response` and only reads the members of this class. */
  asResponse(): Response {
    return this as unknown as Response;
  }
}

function toHeaders(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
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
