import type { AppendNews, AppendWatch } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';

/** Maximum events that a watch buffers for a slow reader; beyond it the reader has to query the store. */
const MAX_KEPT = 32;

/** All append watches of one process, by execution. The backend opens them here and wakes them when it is notified. */
export class AppendWatches {
  private readonly byExecution = new Map<string, Set<SignalledWatch>>();

  /** @param onFollow called when the watch waits for the first time */
  open(executionId: string, onFollow: () => void = () => undefined): AppendWatch {
    const watches = this.byExecution.get(executionId) ?? new Set();
    this.byExecution.set(executionId, watches);
    const watch = new SignalledWatch(onFollow, () => {
      watches.delete(watch);
      if (watches.size === 0 && this.byExecution.get(executionId) === watches)
        this.byExecution.delete(executionId);
    });
    watches.add(watch);
    return watch;
  }

  /** Executions with a watch that has waited. */
  followed(): string[] {
    return [...this.byExecution].flatMap(([executionId, watches]) =>
      [...watches].some(({ hasWaited }) => hasWaited) ? [executionId] : [],
    );
  }

  has(executionId: string): boolean {
    return this.byExecution.has(executionId);
  }

  /** @param events events of the append, in order; null if unknown */
  wake(executionId: string, events: AppendNews): void {
    for (const watch of this.byExecution.get(executionId) ?? []) watch.report(events);
  }

  /** Makes all watchers query the store, after notifications may have been missed. */
  wakeAll(): void {
    for (const executionId of this.byExecution.keys()) this.wake(executionId, null);
  }

  /** The executions with a waiting watcher, each with the lowest event number up to which its watchers have read. */
  lastRead(): Map<string, number> {
    const lastIds = new Map<string, number>();
    for (const [executionId, watches] of this.byExecution) {
      const ids = [...watches].flatMap(({ waitsAfter }) => waitsAfter ?? []);
      if (ids.length > 0) lastIds.set(executionId, Math.min(...ids));
    }
    return lastIds;
  }
}

/** Buffers events between waits, so that none is lost between a read and the next wait. */
class SignalledWatch implements AppendWatch {
  /** Events since the last wait; null if they have to be read from the store. */
  private kept: AppendNews = [];
  /** Last event number that each waiter has read. */
  private readonly waiters = new Map<(news: AppendNews) => void, number>();

  hasWaited = false;

  constructor(
    private readonly onFollow: () => void,
    private readonly forget: () => void,
  ) {}

  /** Lowest event number that a waiter has read; null without waiters. */
  get waitsAfter(): number | null {
    return this.waiters.size === 0 ? null : Math.min(...this.waiters.values());
  }

  wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<AppendNews> {
    if (signal.aborted) return Promise.resolve(null);
    this.noteFollower();
    const { kept } = this;
    if (kept === null || kept.length > 0) {
      this.kept = [];
      return Promise.resolve(directlyAfter(afterId, kept));
    }
    return new Promise((resolve) => {
      const finish = (news: AppendNews): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', endUnheard);
        this.waiters.delete(finish);
        resolve(news);
      };
      const endUnheard = (): void => finish(null);
      const timer = setTimeout(endUnheard, timeoutMs);
      signal.addEventListener('abort', endUnheard, { once: true });
      this.waiters.set(finish, afterId);
    });
  }

  private noteFollower(): void {
    if (this.hasWaited) return;
    this.hasWaited = true;
    this.onFollow();
  }

  report(events: AppendNews): void {
    if (this.waiters.size === 0) this.kept = keepMore(this.kept, events);
    for (const [finish, afterId] of this.waiters) finish(directlyAfter(afterId, events));
  }

  wake(): void {
    this.report(null);
  }

  close(): void {
    this.forget();
    for (const finish of this.waiters.keys()) finish(null);
  }
}

function keepMore(kept: AppendNews, events: AppendNews): AppendNews {
  if (kept === null || events === null || kept.length + events.length > MAX_KEPT) return null;
  return [...kept, ...events];
}

/** The events that directly follow `afterId`; null if there are none or one is missing. */
function directlyAfter(afterId: number, events: AppendNews): AppendNews {
  const later = events?.filter(({ id }: NumberedEvent) => id > afterId) ?? [];
  const isWhole = later.every(({ id }, index) => id === afterId + 1 + index);
  return later.length > 0 && isWhole ? later : null;
}
