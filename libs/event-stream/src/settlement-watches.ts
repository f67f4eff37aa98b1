import type { SettlementNews, SettlementWatch } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';

const LOOK: SettlementNews = { kind: 'look' };
const SILENCE: SettlementNews = { kind: 'silence' };

/** The watches for settlements that one process holds, by execution. */
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
   * Of an execution that is at rest.
   *
   * @param events with which it came to rest; null where they are not known
   */
  wake(executionId: string, events: readonly NumberedEvent[] | null): void {
    const result = events?.find(({ event }) => event === 'result');
    const news: SettlementNews = result?.event === 'result' ? { kind: 'settled', result: result.data } : LOOK;
    for (const watch of this.byExecution.get(executionId) ?? []) watch.report(news);
  }

  /** For when news may have been missed: everybody looks. */
  wakeAll(): void {
    for (const watches of this.byExecution.values()) for (const watch of watches) watch.wake();
  }
}

/** Remembers news that comes while nobody waits. */
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

  /** A result is not forgotten for something that says less. */
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
