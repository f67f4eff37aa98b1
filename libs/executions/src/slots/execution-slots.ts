/** A slot that an execution holds. Each function has an effect only the first time. */
export interface TakenSlot {
  /** Says that the execution has run and only its ending is still to be stored. */
  readonly end: () => void;
  readonly leave: () => void;
}

/** Share of the slots that are free again while the endings of their executions are stored; the others wait for that. */
const ENDING_SHARE = 1 / 4;

/** Slots for the executions that this process runs at once. */
export class ExecutionSlots {
  private taken = 0;
  /** Number of taken slots whose execution has only its ending to store. */
  private ending = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  get free(): number {
    const freedEarly = Math.min(this.ending, Math.floor(this.count * ENDING_SHARE));
    return Math.max(0, this.count - this.taken + freedEarly);
  }

  get areTaken(): boolean {
    return this.free === 0;
  }

  take(): TakenSlot {
    this.change({ taken: 1, ending: 0 });
    let state: 'runs' | 'ends' | 'left' = 'runs';
    return {
      end: () => {
        if (state !== 'runs') return;
        state = 'ends';
        this.change({ taken: 0, ending: 1 });
      },
      leave: () => {
        if (state === 'left') return;
        this.change({ taken: -1, ending: state === 'ends' ? -1 : 0 });
        state = 'left';
      },
    };
  }

  /**
   * Resolves once a slot is free or `signal` aborts. A freed slot wakes only the first waiter and is not reserved for it.
   */
  async untilFree(signal: AbortSignal): Promise<void> {
    if (!this.areTaken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = (): void => resolve(undefined);
    this.waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    this.waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  private change({ taken, ending }: { readonly taken: number; readonly ending: number }): void {
    const before = this.free;
    this.taken += taken;
    this.ending += ending;
    if (this.free > before) this.wakeOne();
  }

  private wakeOne(): void {
    const [first] = this.waiting;
    if (first === undefined) return;
    this.waiting.delete(first);
    first();
  }
}
