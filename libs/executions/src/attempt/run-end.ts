/** Milliseconds that the end of an attempt waits for what its tools held; a server that does not answer is left behind. */
const LONGEST_CLOSING_MS = 2_000;

/** What sources of tools hold for one attempt, closed with it. */
export class RunEnd {
  private readonly closings: (() => Promise<void>)[] = [];
  private hasEnded = false;

  /** @param wait resolves after so many milliseconds */
  constructor(private readonly wait: (ms: number) => Promise<void>) {}

  /** Arrow: sources take it with them. */
  readonly onEnd = (close: () => Promise<void>): void => {
    if (this.hasEnded) void closeQuietly(close);
    else this.closings.push(close);
  };

  /** Never rejects. Resolves at once where nothing is held. */
  async end(): Promise<void> {
    this.hasEnded = true;
    const closings = this.closings.splice(0);
    if (closings.length === 0) return;
    await Promise.race([Promise.all(closings.map(closeQuietly)), this.wait(LONGEST_CLOSING_MS)]);
  }
}

async function closeQuietly(close: () => Promise<void>): Promise<void> {
  try {
    await close();
  } catch {
    // By its contract it does not; nothing of the run depends on it.
  }
}
