import { apiErrorOf } from './api-error.js';
import type { ApiAnswer } from './api-promise.js';
import type { UploadOptions } from './call-options.js';
import { decideRetry } from './decide-retry.js';
import { ConnectionError, TimeoutError, type ApiError } from './errors.js';
import { pause } from './pause.js';
import { sendForm } from './send-form.js';
import type { Settings } from './settings.js';

export interface ApiRequest {
  readonly method: string;
  /** Path and query, from the root of the service. */
  readonly path: string;
  /** Sent as JSON, or as a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: UploadOptions | undefined;
  /** The answer keeps its body: a download, or a stream of events. */
  readonly keepsBody?: boolean;
}

type HeaderFields = Readonly<Record<string, string>>;

/** Sends requests; repeats those that may succeed later, under one `Idempotency-Key`. */
export class Transport {
  constructor(readonly settings: Settings) {}

  /**
   * Sends a request until it has an answer.
   * @throws {ApiError} for an answer that is no success
   * @throws {ConnectionError} for none
   */
  async send<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const maxRetries = request.options?.maxRetries ?? this.settings.maxRetries;
    const headers = this.headersOf(request);
    for (let retries = 0; ; retries += 1) {
      const tried = await this.attempt<T>(request, headers);
      if (!(tried instanceof Error)) return tried;
      const wait = decideRetry(failureOf(tried), retries, maxRetries, Math.random());
      if (wait === null) throw tried;
      await pause(wait, request.options?.signal);
    }
  }

  /** Sends a request once; a failure is answered, and a call that its caller ended rejects with the reason. */
  async attempt<T>(
    request: ApiRequest,
    headers: HeaderFields = this.headersOf(request),
  ): Promise<ApiAnswer<T> | ApiError | ConnectionError> {
    const { signal, timeout = this.settings.timeout } = request.options ?? {};
    signal?.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    try {
      const response = await this.deliver(
        request,
        headers,
        signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      );
      const keeps = response.ok && request.keepsBody === true;
      const text = keeps ? '' : await response.text();
      if (!response.ok) return apiErrorOf(response.status, response.headers, text);
      return answerOf(response, (keeps ? response : dataIn(text)) as T);
    } catch (cause) {
      signal?.throwIfAborted();
      if (late.signal.aborted) return new TimeoutError(`No answer within ${timeout} ms.`, { cause });
      const where = new URL(this.settings.baseUrl).host;
      return new ConnectionError(`${where} cannot be reached, or broke off its answer.`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  private deliver(request: ApiRequest, headers: HeaderFields, signal: AbortSignal): Promise<Response> {
    const { method, path, body, options } = request;
    const url = this.settings.baseUrl + path;
    if (body instanceof FormData) {
      return sendForm(this.settings.fetch, { url, method, headers, form: body, signal }, options?.onProgress);
    }
    if (body === undefined) return this.settings.fetch(url, { method, headers, signal });
    const json = { ...headers, 'content-type': 'application/json' };
    return this.settings.fetch(url, { method, headers: json, body: JSON.stringify(body), signal });
  }

  private headersOf({ method, headers, options }: ApiRequest): HeaderFields {
    const { apiKey } = this.settings;
    const all = new Headers({ accept: 'application/json', ...headers });
    if (apiKey !== null) all.set('authorization', `Bearer ${apiKey}`);
    for (const given of [this.settings.headers, options?.headers ?? {}]) {
      for (const [name, value] of Object.entries(given)) all.set(name, value);
    }
    if (options?.idempotencyKey !== undefined) all.set('idempotency-key', options.idempotencyKey);
    if (method === 'POST' && !all.has('idempotency-key')) all.set('idempotency-key', newKey());
    return Object.fromEntries(all);
  }
}

function answerOf<T>(response: Response, data: T): ApiAnswer<T> {
  const { headers } = response;
  const isReplayed = headers.get('idempotency-replayed') === 'true';
  return { data, response, requestId: headers.get('x-request-id'), isReplayed };
}

/** @throws where it is no JSON, as of a proxy that answers a page of its own */
function dataIn(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

export function failureOf(error: ApiError | ConnectionError): Parameters<typeof decideRetry>[0] {
  if (error instanceof ConnectionError) return { kind: 'connection' };
  const { status, code, retryAfterMs, headers } = error;
  const said = headers.get('x-should-retry');
  const shouldRetry = said === 'true' || said === 'false' ? said === 'true' : null;
  return { kind: 'answer', status, code, shouldRetry, retryAfterMs };
}

/** A UUID; `randomUUID` is missing in pages without TLS. */
function newKey(): string {
  const random = crypto as { randomUUID?(): string };
  if (random.randomUUID !== undefined) return random.randomUUID();
  const bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
