import { AsyncLocalStorage } from 'node:async_hooks';
import { brokenOff, type McpFailure } from './mcp-failure.js';

/**
 * How often the stream of one answer may be taken up again. A server may end it at once each time, and ask us to come
 * back without delay.
 */
const MOST_RESUMPTIONS = 8;
/** Taken up in vain so often in a row, the library gives it up silently. */
const MOST_FAILED_RESUMPTIONS = 2;

/**
 * What becomes of one request outside of the library that makes it: it waits for an answer that may never come, since the
 * stream that it was to come on has ended, and it does not say whether anything was sent.
 */
export class CallWatch {
  /** Set where it is known why there is no answer. */
  failure: McpFailure | null = null;
  /** The answer's stream has named an event, so that it can be taken up again. */
  canResume = false;
  private isSent = false;
  private isOver = false;
  private resumptions = 0;
  private failedInRow = 0;
  private readonly waiting = new AbortController();
  private readonly exchange = new AbortController();

  /**
   * @param purpose `connect`: of making the connection, whose streams stay open. `call`: of one that may be repeated.
   *   `unsafe_call`: of one that must not, and gets a connection of its own.
   */
  constructor(readonly purpose: 'connect' | 'call' | 'unsafe_call') {}

  /** Aborted when there is no answer to wait for any more. */
  get given(): AbortSignal {
    return this.waiting.signal;
  }

  /** Aborted when nobody wants to read any more of the answer. */
  get unwanted(): AbortSignal {
    return this.exchange.signal;
  }

  /** True for the first request of all that are made meanwhile: what follows are answers and cancellations. */
  takesSending(): boolean {
    const isFirst = !this.isSent;
    this.isSent = true;
    return isFirst;
  }

  /** Whether the stream may be taken up once more. */
  takesResumption(): boolean {
    if (this.isOver) return false;
    this.resumptions += 1;
    if (this.resumptions <= MOST_RESUMPTIONS) return true;
    this.giveUp(brokenOff('the answer was begun too often'));
    return false;
  }

  resumed(isOk: boolean): void {
    this.failedInRow = isOk ? 0 : this.failedInRow + 1;
    if (this.failedInRow >= MOST_FAILED_RESUMPTIONS)
      this.giveUp(brokenOff('the answer could not be taken up again'));
  }

  /** A stream of the answer ended. What it held is still being read: in the same turn, and at once. */
  streamEnded(failure: McpFailure): void {
    setImmediate(() => {
      if (!this.canResume) this.giveUp(failure);
    });
  }

  giveUp(failure: McpFailure): void {
    if (this.isOver) return;
    this.failure ??= failure;
    this.waiting.abort('the answer broke off');
  }

  /** Its answer has come, or nobody waits for it any more. */
  end(): void {
    this.isOver = true;
  }

  /** Closes the connection that the answer came on, if it is still open. */
  release(): void {
    this.exchange.abort();
  }
}

/** The request on whose behalf the library calls `fetch`, also when it takes up its stream again later. */
export const watchedCalls = new AsyncLocalStorage<CallWatch>();
