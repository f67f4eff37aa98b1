import type { SettlementNews, SettlementWatch } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';

const LOOK: SettlementNews = { kind: 'look' };
const SILENCE: SettlementNews = { kind: 'silence' };

/** All settlement watches of one process, by execution. */
export class SettlementWatches {
  private readonly byExecution = new Map<string, Set<NewsWatch>>();

  open(executionId: string): SettlementWatch {
    const watches = this.byExecution.get(executionId) ?? new Set();
    this.byExecution.set(executionId, watches);
    const watch = new NewsWatch(() => {
      watches.delete(watch);
      if (watches.size === 0 && this.byExecution.get(executionId) === watches)
        this.byExecution.delete(executionId);
    });
    watches.add(watch);
    return watch;
  }

  has(executionId: string): boolean {
    return this.byExecution.has(executionId);
  }

  /**
   * Wakes the watches of an execution that has settled or needs a person.
   *
   * @param events events of the last append; null if unknown
   */
  wake(executionId: string, events: readonly NumberedEvent[] | null): void {
    const result = events?.find(({ event }) => event === 'result');
    const news: SettlementNews = result?.event === 'result' ? { kind: 'settled', result: result.data } : LOOK;
    for (const watch of this.byExecution.get(executionId) ?? []) watch.report(news);
  }

  /** Makes all watchers query the state, after notifications may have been missed. */
  wakeAll(): void {
    for (const watches of this.byExecution.values()) for (const watch of watches) watch.wake();
  }
}

/** Buffers news between waits. */
class NewsWatch implements SettlementWatch {
  private news: SettlementNews | null = null;
  private readonly waiters = new Set<(news: SettlementNews) => void>();

  constructor(private readonly forget: () => void) {}

  wait(timeoutMs: number, signal: AbortSignal): Promise<SettlementNews> {
    if (signal.aborted) return Promise.resolve(SILENCE);
    if (this.news !== null) {
      const { news } = this;
      this.news = null;
      return Promise.resolve(news);
    }
    return new Promise((resolve) => {
      const finish = (news: SettlementNews): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', endInSilence);
        this.waiters.delete(finish);
        resolve(news);
      };
      const endInSilence = (): void => finish(SILENCE);
      const timer = setTimeout(endInSilence, timeoutMs);
      signal.addEventListener('abort', endInSilence, { once: true });
      this.waiters.add(finish);
    });
  }

  /** A buffered result is not replaced by news with less information. */
  report(news: SettlementNews): void {
    if (this.waiters.size === 0 && this.news?.kind !== 'settled') this.news = news;
    for (const finish of this.waiters) finish(news);
  }

  wake(): void {
    this.report(LOOK);
  }

  close(): void {
    this.forget();
    for (const finish of this.waiters) finish(SILENCE);
  }
}
