import type { AppendNews, AppendWatch } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';

/** Events that a watch keeps for a reader who is slow; of more it knows only that they are there. */
const MOST_KEPT = 32;

/**
 * The watches that one process holds, by execution: an adapter opens them here and wakes them when it is notified of
 * appends.
 */
export class AppendWatches {
  private readonly byExecution = new Map<string, Set<SignalledWatch>>();

  open(executionId: string): AppendWatch {
    const watches = this.byExecution.get(executionId) ?? new Set();
    this.byExecution.set(executionId, watches);
    const watch = new SignalledWatch(() => {
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

  /** @param events of the append, in order; null where they are not known */
  wake(executionId: string, events: AppendNews): void {
    for (const watch of this.byExecution.get(executionId) ?? []) watch.report(events);
  }

  /** For when news may have been missed: every watcher reads and sees. */
  wakeAll(): void {
    for (const executionId of this.byExecution.keys()) this.wake(executionId, null);
  }

  /** The executions that somebody waits for, each with the lowest of the last events that those have read. */
  lastRead(): Map<string, number> {
    const lastIds = new Map<string, number>();
    for (const [executionId, watches] of this.byExecution) {
      const ids = [...watches].flatMap(({ waitsAfter }) => waitsAfter ?? []);
      if (ids.length > 0) lastIds.set(executionId, Math.min(...ids));
    }
    return lastIds;
  }
}

/** Remembers what comes while nobody waits, so the moment between a read and the next wait loses nothing. */
class SignalledWatch implements AppendWatch {
  /** What came since, null where it has to be read. */
  private kept: AppendNews = [];
  /** The last event that each of those has read who wait. */
  private readonly waiters = new Map<(news: AppendNews) => void, number>();

  constructor(private readonly forget: () => void) {}

  /** The lowest of them; null while nobody waits. */
  get waitsAfter(): number | null {
    return this.waiters.size === 0 ? null : Math.min(...this.waiters.values());
  }

  wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<AppendNews> {
    if (signal.aborted) return Promise.resolve(null);
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
  if (kept === null || events === null || kept.length + events.length > MOST_KEPT) return null;
  return [...kept, ...events];
}

/** Null where the first of them is not among `events`, or one after it is missing. */
function directlyAfter(afterId: number, events: AppendNews): AppendNews {
  const later = events?.filter(({ id }: NumberedEvent) => id > afterId) ?? [];
  const isWhole = later.every(({ id }, index) => id === afterId + 1 + index);
  return later.length > 0 && isWhole ? later : null;
}
