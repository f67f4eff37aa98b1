/** What became of one item of a batch. */
export type BatchAnswer<Out> =
  | { readonly kind: 'done'; readonly value: Out }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Nothing was done for it, and it has to be run by itself: another holds what it needs, for example. */
  | { readonly kind: 'alone' };

export interface CombinerOptions<In, Out> {
  /** Runs items at once, in one statement for example. Answers for each, in order; what throws concerns all of them. */
  readonly runTogether: (items: readonly In[]) => Promise<readonly BatchAnswer<Out>[]>;
  /** Runs one item by itself, and may wait for as long as that takes: it holds up nobody. */
  readonly runAlone: (item: In) => Promise<Out>;
  /** Whether a batch that ended with this error has done nothing at all, so that each of its items may be run by itself. */
  readonly mayRunAlone: (error: unknown) => boolean;
  /** Batches under way at once; while so many are, whatever comes in is collected for the next. */
  readonly lanes?: number;
  /** Items of one batch. */
  readonly mostItems?: number;
  /** In the unit of `mostWeight`, such as bytes. An item that is heavier than that is a batch of its own. */
  readonly weigh?: (item: In) => number;
  readonly mostWeight?: number;
  /** Begins a little later, so that what comes in at the same time shares a batch: `setImmediate`. */
  readonly defer: (begin: () => void) => void;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly weight: number;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
}

const LANES = 2;
const MOST_ITEMS = 64;

/**
 * Group commit by the client: what comes in while a batch is under way goes out together with the next one, in the order
 * of the calls. Who calls alone waits for nobody. An item that fails, or that has to wait, neither fails nor holds up those
 * which it shares a batch with. Callers wait for their answers, so that no more is collected than they are.
 */
export class Combiner<In, Out> {
  private readonly waiting: Waiting<In, Out>[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private busyLanes = 0;
  private isDeferred = false;

  constructor(private readonly options: CombinerOptions<In, Out>) {}

  /** Answers, or throws, what became of this item. */
  call(item: In): Promise<Out> {
    const weight = this.options.weigh?.(item) ?? 0;
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject });
      this.deferBatches();
    });
  }

  /** Resolves when nothing waits and nothing is under way, that which is called meanwhile included. */
  async idle(): Promise<void> {
    while (this.waiting.length > 0 || this.underWay.size > 0) {
      if (this.underWay.size === 0) await new Promise<void>((resolve) => this.options.defer(resolve));
      await Promise.all(this.underWay);
    }
  }

  private deferBatches(): void {
    if (this.isDeferred || this.busyLanes >= (this.options.lanes ?? LANES)) return;
    this.isDeferred = true;
    this.options.defer(() => {
      this.isDeferred = false;
      this.beginBatches();
    });
  }

  private beginBatches(): void {
    while (this.waiting.length > 0 && this.busyLanes < (this.options.lanes ?? LANES)) {
      this.busyLanes += 1;
      this.track(this.runBatch(this.takeBatch()));
    }
  }

  private takeBatch(): Waiting<In, Out>[] {
    const { mostItems = MOST_ITEMS, mostWeight = Infinity } = this.options;
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

  /** One answer for each of the batch, whatever happens. */
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
