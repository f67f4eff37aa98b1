/** One action on the connection during a delivery. */
export type DeliveryStep =
  /** `isTerminal`: these bytes complete the answer. */
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly isTerminal: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Sends nothing more until the client disconnects. */
  | { readonly kind: 'hang' }
  /** Resets the TCP connection. */
  | { readonly kind: 'reset' };

/** Delivery of an answer: steps before the status line, the head, and steps of the body. */
export interface Delivery {
  readonly before: readonly DeliveryStep[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends cleanly after the last step, unless it was a hang or a reset. */
  readonly body: Iterable<DeliveryStep>;
}

/** A part of a body before transport: an event, or a whole blocking answer. */
export interface Frame {
  readonly text: string;
  /** Delay before the frame, in ms. */
  readonly delayMs: number;
  readonly isTerminal: boolean;
}
