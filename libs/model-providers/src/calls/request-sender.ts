import { APIError, type OpenAI } from 'openai';
import { request, type Dispatcher } from 'undici';
import type { HttpAnswer } from './http-answer.js';
import { receive } from './send-request.js';

/** Where requests go and what their headers are. */
interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Posts bodies to one path of a server. The official client says where and with which headers, once: it would put both
 * together anew for each call, around machinery for retries and logs that no call here uses.
 */
export class RequestSender {
  private address: Promise<Address> | null = null;

  constructor(
    private readonly client: OpenAI,
    private readonly path: string,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Throws `APIError` for an answer that is none, as the client does, and whatever breaks a connection. */
  async post(body: object, signal: AbortSignal): Promise<HttpAnswer> {
    this.address ??= this.findAddress();
    const { url, headers } = await this.address;
    const { dispatcher } = this;
    const answer = receive(
      url,
      await request(url, { method: 'POST', headers, body: JSON.stringify(body), signal, dispatcher }),
    );
    if (answer.ok) return answer;
    throw await readFailure(answer);
  }

  private async findAddress(): Promise<Address> {
    const { url, req } = await this.client.buildRequest({ method: 'post', path: this.path, body: {} });
    return { url, headers: Object.fromEntries(req.headers) };
  }
}

async function readFailure(answer: HttpAnswer): Promise<APIError> {
  const text = await answer.text().catch(() => '');
  return APIError.generate(answer.status, parseObject(text), undefined, answer.headers);
}

function parseObject(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
