import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Conduct of the proxy towards one request. */
export type Lie =
  | { readonly kind: 'honest' }
  /** The server answers; the client is cut off before, or in the middle of the answer. */
  | { readonly kind: 'drop-answer' | 'half-answer' }
  /** The server is asked twice at once; the client gets the second answer. */
  | { readonly kind: 'send-twice' }
  /** The connection breaks before the server has the request. */
  | { readonly kind: 'lose-request' }
  | { readonly kind: 'refuse'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** The answer is cut off after so many events. */
  | { readonly kind: 'cut-events'; readonly after: number };

export const HONEST: Lie = { kind: 'honest' };

/** A proxy between a client and an API, whose conduct each test decides, request by request. */
export class LyingProxy {
  /** Decides over a request, `GET /api/…`, that came with this `Idempotency-Key` or none. */
  lie: (call: string, key: string) => Lie = () => HONEST;
  /** Requests that came, in order. */
  readonly calls: string[] = [];

  private constructor(
    private readonly server: Server,
    /** The API behind it; another one after a restart. */
    public target: string,
  ) {}

  static async before(target: string): Promise<LyingProxy> {
    const server = createServer((incoming, outgoing) => {
      proxy.carry(incoming, outgoing).catch(() => outgoing.destroy());
    });
    const proxy = new LyingProxy(server, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = `${incoming.method ?? ''} ${incoming.url ?? ''}`;
    this.calls.push(call);
    const lie = this.lie(call, String(incoming.headers['idempotency-key']));
    const body = await buffer(incoming);
    if (lie.kind === 'lose-request') {
      outgoing.destroy();
      return;
    }
    if (lie.kind === 'refuse') {
      outgoing.writeHead(lie.status, lie.headers).end();
      return;
    }
    const asked = [
      this.ask(incoming, body),
      ...(lie.kind === 'send-twice' ? [this.ask(incoming, body)] : []),
    ];
    const answer = (await Promise.all(asked)).at(-1);
    if (answer === undefined) return;
    outgoing.on('close', () => answer.destroy());
    if (lie.kind === 'cut-events') {
      await passEvents(answer, outgoing, lie.after);
      return;
    }
    if (lie.kind === 'honest') {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      return;
    }
    const whole = await buffer(answer);
    if (lie.kind !== 'drop-answer') outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (lie.kind === 'send-twice') outgoing.end(whole);
    else if (lie.kind === 'half-answer')
      outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy());
    else outgoing.destroy();
  }

  private ask(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { method, headers } = incoming;
      const own = { ...headers, 'content-length': String(body.length) };
      delete (own as { 'transfer-encoding'?: string })['transfer-encoding'];
      request(`${this.target}${incoming.url ?? ''}`, { method: method ?? 'GET', headers: own }, resolve)
        .on('error', reject)
        .end(body);
    });
  }
}

async function passEvents(answer: IncomingMessage, outgoing: ServerResponse, after: number): Promise<void> {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  let [seen, rest] = [0, ''];
  for await (const piece of answer.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      await new Promise((written) => void outgoing.write(`${block}\n\n`, written));
      seen += block.includes('data:') ? 1 : 0;
      if (seen < after) continue;
      outgoing.destroy();
      return;
    }
  }
  outgoing.end(rest);
}
