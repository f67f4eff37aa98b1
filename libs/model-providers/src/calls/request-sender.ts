import { exchange } from '#libs/guarded-fetch';
import { APIError } from 'openai/core/error';
import { baseUrlOf, type ClientConnection, sharedDispatcher } from './connection.js';
import { readErrorBody } from './error-words.js';
import type { HttpAnswer } from './http-answer.js';
import { receive } from './send-request.js';
import type { WireProtocol } from './wire-protocol.js';

/** Posts to one path of a server, without the retries and logging of the official client. */
export class RequestSender {
  private address: RequestAddress | null = null;

  constructor(
    private readonly connection: ClientConnection,
    private readonly api: Pick<WireProtocol, 'path' | 'locate'>,
  ) {}

  /** Throws `APIError` for an error status, like the client, and rethrows connection errors. */
  async post(body: object, signal: AbortSignal): Promise<HttpAnswer> {
    const { dispatcher = sharedDispatcher, sign } = this.connection;
    const { address, sent } = this.locate(body);
    const { url } = address;
    const unsigned = { method: 'POST', url, headers: address.headers, body: JSON.stringify(sent) } as const;
    const headers = sign === undefined ? unsigned.headers : await sign(unsigned);
    const answer = receive(url, await exchange(dispatcher, { ...unsigned, headers }, signal));
    if (answer.ok) return answer;
    throw await readFailure(answer);
  }

  private locate(body: object): { readonly address: RequestAddress; readonly sent: object } {
    const { connection, api } = this;
    if (api.locate === undefined) {
      this.address ??= requestAddress(connection, api.path);
      return { address: this.address, sent: body };
    }
    const located = api.locate(body);
    return { address: requestAddress(connection, located.path), sent: located.body };
  }
}

async function readFailure(answer: HttpAnswer): Promise<APIError> {
  const text = await answer.text().catch(() => '');
  return APIError.generate(
    answer.status,
    { error: readErrorBody(text, answer.headers) },
    undefined,
    answer.headers,
  );
}

/** URL and headers of requests; header names in lower case. */
interface RequestAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `User-Agent` of all requests. */
const USER_AGENT = 'capstan';

/**
 * URL and headers that the official client would use for a path. The client itself is avoided, because it loads several
 * megabytes of unused resources.
 *
 * @param path path below the version path, e.g. `/responses`
 */
export function requestAddress(connection: ClientConnection, path: string): RequestAddress {
  const url = new URL(baseUrlOf(connection));
  url.pathname = url.pathname.replace(/\/$/u, '') + path;
  const query = url.searchParams;
  for (const [name, value] of Object.entries(connection.query ?? {})) query.set(name, value);
  // Encodes spaces as %20, which every server decodes, unlike the form encoding `+`.
  url.search = query.toString().replaceAll('+', '%20');
  return { url: url.href, headers: headersOf(connection) };
}

function headersOf({ apiKey, organization, headers }: ClientConnection): Record<string, string> {
  const sent = new Headers({
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    ...(organization && { 'openai-organization': organization }),
  });
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) sent.delete(name);
    else sent.set(name, value);
  }
  return Object.fromEntries(sent);
}
