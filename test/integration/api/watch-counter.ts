import type { AppendWatch, EventStream, SettlementWatch } from '#libs/executions';

/** Counts the open watches on a stream, of those that are opened between construction and `stop`. */
export class WatchCounter {
  private readonly watched = new Set<AppendWatch | SettlementWatch>();
  private readonly watch: EventStream['watch'];
  private readonly watchSettlement: EventStream['watchSettlement'];

  constructor(private readonly events: EventStream) {
    this.watch = events.watch.bind(events);
    this.watchSettlement = events.watchSettlement.bind(events);
    events.watch = (executionId) => this.count(this.watch(executionId));
    events.watchSettlement = (executionId) => this.countSettlement(this.watchSettlement(executionId));
  }

  get open(): number {
    return this.watched.size;
  }

  stop(): void {
    this.events.watch = this.watch;
    this.events.watchSettlement = this.watchSettlement;
  }

  private count(watch: AppendWatch): AppendWatch {
    return {
      wait: (afterId, timeoutMs, signal) => watch.wait(afterId, timeoutMs, signal),
      ...this.counted(watch),
    };
  }

  private countSettlement(watch: SettlementWatch): SettlementWatch {
    return { wait: (timeoutMs, signal) => watch.wait(timeoutMs, signal), ...this.counted(watch) };
  }

  private counted(watch: AppendWatch | SettlementWatch) {
    this.watched.add(watch);
    return {
      wake: () => watch.wake(),
      close: () => {
        this.watched.delete(watch);
        watch.close();
      },
    };
  }
}
