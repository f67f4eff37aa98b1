/** Maximum time for closing tool resources at the end of an attempt, in milliseconds; slower servers are abandoned. */
const MAX_CLOSING_MS = 2_000;

/** Closes the resources that tool sources opened for one attempt. */
export class RunEnd {
  private readonly closings: (() => Promise<void>)[] = [];
  private hasEnded = false;

  /** @param wait resolves after the given milliseconds */
  constructor(private readonly wait: (ms: number) => Promise<void>) {}

  /** Arrow function: tool sources receive it without its object. */
  readonly onEnd = (close: () => Promise<void>): void => {
    if (this.hasEnded) void closeQuietly(close);
    else this.closings.push(close);
  };

  /** Never rejects. Resolves at once if no resource is open. */
  async end(): Promise<void> {
    this.hasEnded = true;
    const closings = this.closings.splice(0);
    if (closings.length === 0) return;
    await Promise.race([Promise.all(closings.map(closeQuietly)), this.wait(MAX_CLOSING_MS)]);
  }
}

async function closeQuietly(close: () => Promise<void>): Promise<void> {
  try {
    await close();
  } catch {
    // Failures to close are ignored: no part of the run depends on them.
  }
}
