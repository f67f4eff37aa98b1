import type { AppendWatch, EventStream } from '#libs/executions';

/** Counts the watches that are open on a stream, from now until `stop`. */
export class WatchCounter {
  private readonly watched = new Set<AppendWatch>();
  private readonly watch: EventStream['watch'];

  constructor(private readonly events: EventStream) {
    this.watch = events.watch.bind(events);
    events.watch = (executionId) => this.count(this.watch(executionId));
  }

  get open(): number {
    return this.watched.size;
  }

  stop(): void {
    this.events.watch = this.watch;
  }

  private count(watch: AppendWatch): AppendWatch {
    this.watched.add(watch);
    return {
      wait: (timeoutMs, signal) => watch.wait(timeoutMs, signal),
      close: () => {
        this.watched.delete(watch);
        watch.close();
      },
    };
  }
}
