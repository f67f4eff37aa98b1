/** A request as a fake of `fetch` was given it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: RequestInit['body'];
}

export type Step =
  Response | Error | ((request: SentRequest, signal: AbortSignal | null) => Response | Promise<Response>);

/** A fake of `fetch` that answers as its script says, one step a request, and keeps the requests. */
export function scriptedFetch(...steps: Step[]): { fetch: typeof fetch; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const fake = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers = {}, body = null } = init;
    const request: SentRequest = { method, url, headers: new Headers(headers), body };
    const step = steps[sent.length];
    sent.push(request);
    if (step === undefined) throw new TypeError(`no answer to request ${sent.length} is scripted`);
    if (step instanceof Error) throw step;
    return typeof step === 'function' ? step(request, init.signal ?? null) : step;
  };
  return { fetch: fake as typeof fetch, sent };
}

/** The JSON that a request has sent. */
export function sentJson(request: SentRequest | undefined): unknown {
  return JSON.parse(typeof request?.body === 'string' ? request.body : 'null');
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const all = { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** An answer that is no success. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = { type: 'about:blank', title: 'No', status, detail: 'it is not so', code, request_id: 'r-2' };
  return json(body, status, headers);
}

/** An answer of server-sent events. */
export function events(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
