import type { Dispatcher } from 'undici';
import { IncomingBody } from './incoming-body.js';

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds until the headers of the answer, and between pieces of its body; the dispatcher's limits by default. */
  readonly silenceMs?: number;
}

/** Head of an answer, and its body as it arrives. */
export interface Exchanged {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: IncomingBody;
}

/**
 * Sends one request without redirects. Resolves at the headers of the answer. Rejects with the error of the connection, or
 * with the reason of `signal`, which breaks off the body too.
 */
export async function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body, silenceMs }: HttpRequest,
  signal: AbortSignal | null,
): Promise<Exchanged> {
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  const handler = new ExchangeHandler(signal);
  const limits = silenceMs === undefined ? {} : { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  dispatcher.dispatch({ origin, path: pathname + search, method, headers, body, ...limits }, handler);
  return handler.answered;
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly answer = Promise.withResolvers<Exchanged>();
  private readonly onAbort = (): void => this.abort();
  private controller: Dispatcher.DispatchController | null = null;
  private body: IncomingBody | null = null;

  constructor(private readonly signal: AbortSignal | null) {
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  get answered(): Promise<Exchanged> {
    return this.answer.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal?.aborted === true) this.abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Exchanged['headers'],
  ): void {
    // Informational answers precede the one that counts.
    if (status < 200) return;
    this.body = new IncomingBody(controller);
    this.answer.resolve({ status, headers, body: this.body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Uint8Array): void {
    this.body?.push(piece);
  }

  onResponseEnd(): void {
    this.forgetSignal();
    this.body?.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.forgetSignal();
    this.fail(error);
  }

  /** A request that waits for a connection is aborted once it has one; its caller waits no longer. */
  private abort(): void {
    const reason = this.signal?.reason as Error;
    this.fail(reason);
    this.controller?.abort(reason);
  }

  private fail(error: Error): void {
    this.answer.reject(error);
    this.body?.finish(error);
  }

  private forgetSignal(): void {
    this.signal?.removeEventListener('abort', this.onAbort);
  }
}
