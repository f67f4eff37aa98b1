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
}

/** Remembers a wake-up that comes while nobody waits, so the moment between a read and the next wait loses nothing. */
class SignalledWatch implements AppendWatch {
  private isSignalled = false;
  private readonly waiters = new Set<() => void>();

  constructor(private readonly forget: () => void) {}

  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
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
      this.waiters.add(finish);
    });
  }

  wake(): void {
    if (this.waiters.size === 0) this.isSignalled = true;
    for (const finish of this.waiters) finish();
  }

  close(): void {
    this.forget();
    for (const finish of this.waiters) finish();
  }
}
