import { AsyncLocalStorage } from 'node:async_hooks';
import { brokenOff, type McpFailure } from './mcp-failure.js';

/**
 * Maximum resumptions of one answer's stream: a server could end it at once each time and ask for reconnection without
 * delay.
 */
const MAX_RESUMPTIONS = 8;
/** Consecutive failed resumptions after which the library gives up without an error. */
const MAX_FAILED_RESUMPTIONS = 2;

/**
 * Tracks one request beside the MCP library, which keeps waiting after the answer's stream has ended, and does not say
 * whether the request was sent.
 */
export class CallWatch {
  /** Reason for the missing answer, if known. */
  failure: McpFailure | null = null;
  /** True once the answer's stream has sent an event id, which makes it resumable. */
  canResume = false;
  private isSent = false;
  private isOver = false;
  private resumptions = 0;
  private failedInRow = 0;
  private readonly waiting = new AbortController();
  private readonly exchange = new AbortController();

  /**
   * @param purpose `connect`: the handshake; its streams stay open. `call`: a repeatable call. `unsafe_call`: a call
   * that must not be repeated and gets its own connection.
   */
  constructor(readonly purpose: 'connect' | 'call' | 'unsafe_call') {}

  /** Aborted when no answer can arrive any more. */
  get given(): AbortSignal {
    return this.waiting.signal;
  }

  /** Aborted when the rest of the answer is not needed. */
  get unwanted(): AbortSignal {
    return this.exchange.signal;
  }

  /** True for the first HTTP request only; later ones carry replies and cancellations. */
  takesSending(): boolean {
    const isFirst = !this.isSent;
    this.isSent = true;
    return isFirst;
  }

  /** True if the stream may be resumed once more. */
  takesResumption(): boolean {
    if (this.isOver) return false;
    this.resumptions += 1;
    if (this.resumptions <= MAX_RESUMPTIONS) return true;
    this.giveUp(brokenOff('the answer was begun too often'));
    return false;
  }

  resumed(isOk: boolean): void {
    this.failedInRow = isOk ? 0 : this.failedInRow + 1;
    if (this.failedInRow >= MAX_FAILED_RESUMPTIONS)
      this.giveUp(brokenOff('the answer could not be taken up again'));
  }

  /** A stream of the answer ended. Its last events are still being processed in this turn, hence the deferral. */
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

  /** The request is settled or abandoned. */
  end(): void {
    this.isOver = true;
  }

  /** Closes the connection of the answer, if still open. */
  release(): void {
    this.exchange.abort();
  }
}

/** The watch of the current request, also while the library resumes its stream later. */
export const watchedCalls = new AsyncLocalStorage<CallWatch>();
