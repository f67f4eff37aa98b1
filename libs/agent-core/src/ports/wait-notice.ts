import type { WaitKind } from '#libs/payloads';

/** A wait of an execution, as clients see it. */
export interface Wait {
  readonly kind: WaitKind;
  /** Name of the model or resource; null without one. */
  readonly name: string | null;
  /** Shown to clients: without secrets. */
  readonly message: string;
  /** Milliseconds until the next try; null if another event ends the wait. */
  readonly nextTryMs: number | null;
}

/** How a wait ended. `answered`: the awaited response arrived, so a later wait for it is a new one. */
export type WaitEnding = 'answered' | 'over';

/** Shows clients that an execution waits. A lost notice loses no data. */
export abstract class WaitNotice {
  /**
   * Begins a wait, which is shown after `afterMs` milliseconds unless it has ended by then. Returns the function that
   * ends it, once. Never throws and never delays the loop.
   */
  abstract begin(wait: Wait, afterMs?: number): (ending: WaitEnding) => void;
}
