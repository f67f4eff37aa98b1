import type { Linger } from './linger.js';

/** The result of one item of a batch. */
export type BatchAnswer<Out> =
  | { readonly kind: 'done'; readonly value: Out }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The item was not processed and has to run alone, e.g. because its row is locked. */
  | { readonly kind: 'alone' };

export interface BatchOptions<In, Out> {
  /** Runs a batch, e.g. in one statement. Returns one result per item, in order; an exception fails every item. */
  readonly runTogether: (items: readonly In[]) => Promise<readonly BatchAnswer<Out>[]>;
  /** Runs one item alone. The call may wait as long as it has to, since no batch waits for it. */
  readonly runAlone: (item: In) => Promise<Out>;
  /** Whether a batch that threw this error had no effect, so that each item may run alone. */
  readonly mayRunAlone: (error: unknown) => boolean;
  /** Maximum batches in flight; while all lanes are busy, new items are collected for the next batch. Default 2. */
  readonly lanes?: number;
  /** Maximum items of a batch; default 64. */
  readonly mostItems?: number;
  /**
   * Weight of an item in the unit of `mostWeight`, e.g. bytes. An item heavier than `mostWeight` is a batch of its own.
   */
  readonly weigh?: (item: In) => number;
  readonly mostWeight?: number;
  /** Defers the start of a batch, so that calls of the same moment share it: e.g. `setImmediate`. */
  readonly defer: (begin: () => void) => void;
  /** Lets a batch wait for more items while they arrive fast; without it, no batch waits. */
  readonly linger?: Linger;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly weight: number;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
}

const LANES = 2;
const MAX_ITEMS = 64;

/**
 * Group commit on the client side: items that arrive while a batch is in flight leave together in the next one, in the
 * order of the calls. A single call waits for no other. An item that fails or has to wait neither fails nor delays the
 * rest of its batch. Callers await their results, so the queue is bounded by the number of callers.
 */
export class BatchExecutor<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private busyLanes = 0;
  private isDeferred = false;

  constructor(private readonly options: BatchOptions<In, Out>) {}

  /** Resolves or rejects with the result of this item. */
  call(item: In): Promise<Out> {
    const weight = this.options.weigh?.(item) ?? 0;
    // A caller that waits for each answer before the next call has no company to wait for.
    if (this.waiting.length > 0 || this.busyLanes > 0) this.options.linger?.arrive();
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject });
      this.deferBatches();
    });
  }

  /** Resolves when no item waits or runs, including items added until then. */
  async idle(): Promise<void> {
    while (this.waiting.length > 0 || this.underWay.size > 0) {
      if (this.underWay.size === 0) await new Promise<void>((resolve) => this.options.defer(resolve));
      await Promise.all(this.underWay);
    }
  }

  private deferBatches(): void {
    const { defer, lanes = LANES, linger, mostItems = MAX_ITEMS } = this.options;
    if (this.waiting.length === 0 || this.isDeferred || this.busyLanes >= lanes) return;
    this.isDeferred = true;
    const begin = (): void => {
      this.isDeferred = false;
      this.beginBatches();
    };
    if (linger && this.waiting.length < mostItems) linger.begin(begin, defer);
    else defer(begin);
  }

  private beginBatches(): void {
    while (this.waiting.length > 0 && this.busyLanes < (this.options.lanes ?? LANES)) {
      this.busyLanes += 1;
      this.track(this.runBatch(this.takeBatch()));
    }
  }

  private takeBatch(): Waiting<In, Out>[] {
    const { mostItems = MAX_ITEMS, mostWeight = Infinity } = this.options;
    let [count, weight] = [0, 0];
    for (const next of this.waiting) {
      if (count > 0 && (count >= mostItems || weight + next.weight > mostWeight)) break;
      count += 1;
      weight += next.weight;
    }
    return this.waiting.splice(0, count);
  }

  private async runBatch(batch: readonly Waiting<In, Out>[]): Promise<void> {
    const answers = await this.answersOf(batch);
    this.busyLanes -= 1;
    this.deferBatches();
    batch.forEach((waiting, index) => this.deliver(waiting, answers[index]));
  }

  /** Returns one result per item and never rejects. */
  private async answersOf(batch: readonly Waiting<In, Out>[]): Promise<readonly BatchAnswer<Out>[]> {
    try {
      const answers = await this.options.runTogether(batch.map(({ item }) => item));
      if (answers.length === batch.length) return answers;
      throw new Error(`${answers.length} answers for a batch of ${batch.length}`);
    } catch (error) {
      const mayRunAlone = batch.length > 1 && this.options.mayRunAlone(error);
      return batch.map(() => (mayRunAlone ? { kind: 'alone' } : { kind: 'failed', error }));
    }
  }

  private deliver(waiting: Waiting<In, Out>, answer: BatchAnswer<Out> | undefined): void {
    if (answer?.kind === 'done') waiting.resolve(answer.value);
    else if (answer?.kind === 'alone') this.track(this.runAlone(waiting));
    else waiting.reject(answer?.error);
  }

  private async runAlone({ item, resolve, reject }: Waiting<In, Out>): Promise<void> {
    try {
      resolve(await this.options.runAlone(item));
    } catch (error) {
      reject(error);
    }
  }

  private track(running: Promise<void>): void {
    this.underWay.add(running);
    void running.finally(() => this.underWay.delete(running));
  }
}
