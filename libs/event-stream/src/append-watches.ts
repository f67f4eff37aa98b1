import type { AppendWatch } from '#libs/executions';

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

  wake(executionId: string): void {
    for (const watch of this.byExecution.get(executionId) ?? []) watch.wake();
  }

  /** For when news may have been missed: every watcher reads and sees. */
  wakeAll(): void {
    for (const executionId of this.byExecution.keys()) this.wake(executionId);
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

/** Remembers a wake-up that comes while nobody waits, so the moment between a read and the next wait loses nothing. */
class SignalledWatch implements AppendWatch {
  private isSignalled = false;
  /** The last event that each of those has read who wait. */
  private readonly waiters = new Map<() => void, number>();

  constructor(private readonly forget: () => void) {}

  /** The lowest of them; null while nobody waits. */
  get waitsAfter(): number | null {
    return this.waiters.size === 0 ? null : Math.min(...this.waiters.values());
  }

  wait(afterId: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    if (this.isSignalled) {
      this.isSignalled = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        this.waiters.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      signal.addEventListener('abort', finish, { once: true });
      this.waiters.set(finish, afterId);
    });
  }

  wake(): void {
    if (this.waiters.size === 0) this.isSignalled = true;
    for (const finish of this.waiters.keys()) finish();
  }

  close(): void {
    this.forget();
    for (const finish of this.waiters.keys()) finish();
  }
}
