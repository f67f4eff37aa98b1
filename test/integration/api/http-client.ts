import { assertDocumented } from '../../support/openapi/documented-answers.js';

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text, and as JSON where it is JSON. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, instead. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection. */
  readonly signal?: AbortSignal;
}

/** Asks the API over real HTTP. Redirects are answers. Rejects where an answer is another than `openapi.json` says. */
export async function ask(base: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const body = options.raw ?? (options.json === undefined ? null : JSON.stringify(options.json));
  const contentType: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
  const method = options.method ?? (body === null ? 'GET' : 'POST');
  const response = await fetch(new URL(path, base), {
    method,
    headers: { ...contentType, ...options.headers },
    body,
    redirect: 'manual',
    signal: options.signal ?? null,
  });
  const text = await response.text();
  const mediaType = response.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? null;
  assertDocumented(method, path, { status: response.status, mediaType, text });
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
