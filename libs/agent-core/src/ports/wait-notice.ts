import type { WaitKind } from '#libs/payloads';

/** Something that a run waits for. */
export interface Wait {
  readonly kind: WaitKind;
  /** Null where it has no name. */
  readonly name: string | null;
  /** Shown to clients: without secrets. */
  readonly message: string;
  /** Milliseconds until the next try; null where something else ends the wait. */
  readonly nextTryMs: number | null;
}

/** How a wait ended. `answered`: what was waited for is there, so that a later wait for it is another one. */
export type WaitEnding = 'answered' | 'over';

/** Shows clients that a run waits. Losing a notice loses nothing. */
export abstract class WaitNotice {
  /**
   * The wait begins; it is shown after `afterMs` milliseconds, unless it has ended by then. Answers what ends it, once.
   * Never throws, and nothing waits for it.
   */
  abstract begin(wait: Wait, afterMs?: number): (ending: WaitEnding) => void;
}
