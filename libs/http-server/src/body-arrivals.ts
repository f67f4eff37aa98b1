import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MonotonicClock } from '#libs/kernel';
import { endWithFault } from './end-with-fault.js';

interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes read on the connection before this request. */
  readonly bytesBefore: number;
  waitedMs: number;
  lookedAt: number;
  mayBeLong: boolean;
}

/** Bodies that are still arriving. */
const arriving = new WeakMap<IncomingMessage, Arriving>();

/** Extends the request's time limit with each received byte; for routes that accept files. */
export function allowLongBody(request: IncomingMessage): void {
  const found = arriving.get(request);
  if (found !== undefined) found.mayBeLong = true;
}

/**
 * Enforces arrival times of request bodies. Node has one limit for all requests: one that suffices for a large file
 * lets a slow client hold a connection for too long.
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

  /** Ends the requests that exceed their limit; to be called periodically. */
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
    // A response that has begun cannot be followed by another one.
    if (response.headersSent) return void request.socket.destroy();
    endWithFault(response, 408);
    // Node does not destroy an answered request, so a handler that reads its body would wait forever.
    request.socket.once('close', () => request.destroy(new BodyBrokenOff()));
  }
}

/** The error that Node raises when a client disconnects. */
class BodyBrokenOff extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the body took too long to arrive');
  }
}

/** Whether the handler of a file applies backpressure; that time does not count against the client. */
function isHeldUp({ request, mayBeLong }: Arriving): boolean {
  return mayBeLong && request.readableLength >= request.readableHighWaterMark;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Maximum milliseconds for a request to arrive. */
export const ARRIVAL_MS = 60_000;
/** Minimum average bytes per second of a long body beyond that time. */
const MIN_BYTES_A_SECOND = 65_536;

/** Progress of an arriving body. */
interface BodyArrival {
  /** Milliseconds that the server waited for the client. */
  readonly waitedMs: number;
  /** Bytes received so far. */
  readonly bytes: number;
  /** Whether each received byte extends the time limit. */
  readonly mayBeLong: boolean;
}

/** The time limit of a long body after so many bytes, in milliseconds. Pure. */
export function longestArrivalMs(bytes: number): number {
  return ARRIVAL_MS + (bytes / MIN_BYTES_A_SECOND) * 1_000;
}

/** Whether a body exceeds its time limit. Only received bytes extend the limit. Pure. */
export function isTooSlow({ waitedMs, bytes, mayBeLong }: BodyArrival): boolean {
  return waitedMs >= (mayBeLong ? longestArrivalMs(bytes) : ARRIVAL_MS);
}
