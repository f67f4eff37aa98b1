/** Deduplicates concurrent work: equal keys share one promise. */
export class SharedWork<Result> {
  private readonly underWay = new Map<string, Promise<Result>>();

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, begun);
    return begun;
  }
}

/** Rejects once the signal aborts; the shared work continues for others. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason as Error);
    if (signal.aborted) return give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
