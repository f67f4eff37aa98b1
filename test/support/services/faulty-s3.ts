import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fault of one request: the first fault hits the first request, and so on; later requests pass. */
export type S3Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code: string }
  /** The request is never answered. */
  | { readonly kind: 'silence' }
  /** The connection ends after so many bytes of the upload. */
  | { readonly kind: 'cut_upload'; readonly afterBytes: number }
  /** The connection ends after so many bytes of the download. */
  | { readonly kind: 'cut_download'; readonly afterBytes: number }
  /** One bit of the upload is flipped. */
  | { readonly kind: 'flipped_upload' };

/**
 * A proxy for an S3 server that injects faults. Like S3, and unlike the server behind it, it refuses bytes with another hash
 * than the signed one.
 */
export class FaultyS3 {
  readonly faults: S3Fault[] = [];
  /** The requests in order, such as `PUT` or `GET bytes=10-`. */
  readonly seen: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(target: string): Promise<FaultyS3> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const faulty = new FaultyS3(server, `http://127.0.0.1:${port}`);
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => {
      faulty.pass(new URL(target), asked, answer).catch(() => asked.destroy());
    });
    return faulty;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async pass(target: URL, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', headers, url } = asked;
    this.seen.push([method, headers.range].filter(Boolean).join(' '));
    const fault = this.faults.shift();
    const body = await readBody(asked, fault);
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'status') {
      refuse(answer, fault.status, fault.code);
      return;
    }
    const hash = createHash('sha256').update(body).digest('hex');
    if (hash !== headers['x-amz-content-sha256']) {
      refuse(answer, 400, 'XAmzContentSHA256Mismatch');
      return;
    }
    // The signature covers the host of the request, so the header stays.
    const onward = request(
      { host: target.hostname, port: target.port, path: url, method, headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        if (fault?.kind === 'cut_download') void cut(got, answer, fault.afterBytes);
        else got.pipe(answer);
      },
    );
    onward.end(body);
  }
}

async function readBody(asked: IncomingMessage, fault: S3Fault | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of asked as AsyncIterable<Buffer>) {
    size += part.length;
    if (fault?.kind === 'cut_upload' && size > fault.afterBytes) throw new Error('cut');
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  if (fault?.kind === 'flipped_upload') body[0] = (body[0] ?? 0) ^ 1;
  return body;
}

async function cut(got: IncomingMessage, answer: ServerResponse, afterBytes: number): Promise<void> {
  let left = afterBytes;
  for await (const part of got as AsyncIterable<Buffer>) {
    if (part.length >= left) {
      answer.write(part.subarray(0, left), () => answer.destroy());
      return;
    }
    left -= part.length;
    answer.write(part);
  }
}

function refuse(answer: ServerResponse, status: number, code: string): void {
  answer.writeHead(status, { 'content-type': 'application/xml' });
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
