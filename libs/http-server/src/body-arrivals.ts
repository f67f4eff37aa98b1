import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MonotonicClock } from '#libs/kernel';
import { isTooSlow } from './body-arrival.js';
import { endWithFault } from './end-with-fault.js';

interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of its connection, when it began. */
  readonly bytesBefore: number;
  waitedMs: number;
  lookedAt: number;
  mayBeLong: boolean;
}

/** Bodies that are still coming. */
const arriving = new WeakMap<IncomingMessage, Arriving>();

/** Lets this request take longer to arrive the more of it has come; for routes that take files. */
export function allowLongBody(request: IncomingMessage): void {
  const found = arriving.get(request);
  if (found !== undefined) found.mayBeLong = true;
}

/**
 * The bodies that come to one server. Node has one bound for every request, whatever it brings: enough for a large file is
 * too much for a client that means to hold a connection.
 */
export class BodyArrivals {
  private readonly bodies = new Set<Arriving>();

  constructor(private readonly clock: MonotonicClock) {}

  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return;
    const body = {
      ...{ request, response, bytesBefore: request.socket.bytesRead },
      ...{ waitedMs: 0, lookedAt: this.clock.monotonic(), mayBeLong: false },
    };
    this.bodies.add(body);
    arriving.set(request, body);
    request.once('close', () => this.bodies.delete(body));
  }

  /** Ends those that take too long; to be repeated. */
  sweep(): void {
    const now = this.clock.monotonic();
    for (const body of this.bodies) {
      if (body.request.complete) {
        this.bodies.delete(body);
        continue;
      }
      if (!isHeldUp(body)) body.waitedMs += now - body.lookedAt;
      body.lookedAt = now;
      const bytes = body.request.socket.bytesRead - body.bytesBefore;
      if (isTooSlow({ ...body, bytes })) this.end(body);
    }
  }

  private end(body: Arriving): void {
    this.bodies.delete(body);
    const { request, response } = body;
    // An answer that is on its way is not followed by another one.
    if (response.headersSent) return void request.socket.destroy();
    endWithFault(response, 408);
    // Node forgets a request that was answered: whoever reads its body would wait for ever.
    request.socket.once('close', () => request.destroy(new BodyBrokenOff()));
  }
}

/** As Node says it where a client goes away. */
class BodyBrokenOff extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the body took too long to arrive');
  }
}

/** Whoever takes a file in takes no more of it just now: nobody waits for the client. */
function isHeldUp({ request, mayBeLong }: Arriving): boolean {
  return mayBeLong && request.readableLength >= request.readableHighWaterMark;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
