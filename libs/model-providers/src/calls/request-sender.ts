import { APIError } from 'openai/core/error';
import { request } from 'undici';
import { sharedDispatcher, type ClientConnection } from './connection.js';
import { readErrorBody } from './error-words.js';
import type { HttpAnswer } from './http-answer.js';
import { requestAddress, type RequestAddress } from './request-address.js';
import { receive } from './send-request.js';

/** Posts to one path of a server, without the retries and logging of the official client. */
export class RequestSender {
  private address: RequestAddress | null = null;

  constructor(
    private readonly connection: ClientConnection,
    private readonly path: string,
  ) {}

  /** Throws `APIError` for an error status, like the client, and rethrows connection errors. */
  async post(body: object, signal: AbortSignal): Promise<HttpAnswer> {
    const { dispatcher = sharedDispatcher } = this.connection;
    this.address ??= requestAddress(this.connection, this.path);
    const { url, headers } = this.address;
    const answer = receive(
      url,
      await request(url, { method: 'POST', headers, body: JSON.stringify(body), signal, dispatcher }),
    );
    if (answer.ok) return answer;
    throw await readFailure(answer);
  }
}

async function readFailure(answer: HttpAnswer): Promise<APIError> {
  const text = await answer.text().catch(() => '');
  return APIError.generate(answer.status, { error: readErrorBody(text) }, undefined, answer.headers);
}
