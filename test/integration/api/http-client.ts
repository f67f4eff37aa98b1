import { assertDocumented } from '../../support/openapi/documented-answers.js';

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Body as text; `body` is the parsed JSON, or `{}` if the text is not JSON. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RequestOptions {
  readonly method?: string;
  /** Body to send as JSON. */
  readonly json?: unknown;
  /** Body to send unchanged, in place of `json`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Sends a request over real HTTP without following redirects. Rejects an answer that `openapi.json` does not allow. */
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
