import type { AppendWatch, EventStream } from '#libs/executions';

/** Counts the watches that are open on a stream, from now until `stop`. */
export class WatchCounter {
  readonly #open = new Set<AppendWatch>();
  readonly #watch: EventStream['watch'];

  constructor(private readonly events: EventStream) {
    this.#watch = events.watch.bind(events);
    events.watch = (executionId) => this.#count(this.#watch(executionId));
  }

  get open(): number {
    return this.#open.size;
  }

  stop(): void {
    this.events.watch = this.#watch;
  }

  #count(watch: AppendWatch): AppendWatch {
    this.#open.add(watch);
    return {
      wait: (timeoutMs, signal) => watch.wait(timeoutMs, signal),
      close: () => {
        this.#open.delete(watch);
        watch.close();
      },
    };
  }
}
