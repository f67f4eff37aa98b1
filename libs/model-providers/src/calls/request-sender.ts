import { APIError } from 'openai/core/error';
import { request } from 'undici';
import { sharedDispatcher, type ClientConnection } from './connection.js';
import { readErrorBody } from './error-words.js';
import type { HttpAnswer } from './http-answer.js';
import { requestAddress, type RequestAddress } from './request-address.js';
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
    const headers = (await sign?.(unsigned)) ?? unsigned.headers;
    const answer = receive(url, await request(url, { ...unsigned, headers, signal, dispatcher }));
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
