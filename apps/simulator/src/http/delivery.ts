/** One thing done to the connection while an answer is on its way. */
export type DeliveryStep =
  /** `isTerminal`: with these bytes the client has the whole answer. */
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly isTerminal: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Says nothing more until the client leaves. */
  | { readonly kind: 'hang' }
  /** Ends the connection with a TCP reset. */
  | { readonly kind: 'reset' };

/** How an answer travels: what happens before the status line, then the head, then what happens to the body. */
export interface Delivery {
  readonly before: readonly DeliveryStep[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends cleanly after the last step, unless that was a hang or a reset. */
  readonly body: Iterable<DeliveryStep>;
}

/** A part of a body before transport: an event, or the whole of a blocking answer. */
export interface Frame {
  readonly text: string;
  /** Milliseconds to wait before it. */
  readonly delayMs: number;
  readonly isTerminal: boolean;
}
