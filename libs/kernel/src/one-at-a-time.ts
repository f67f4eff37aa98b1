/** Runs one call at a time and skips calls that arrive while it runs: for periodic tasks. */
export class OneAtATime {
  private isTaken = false;

  /** Runs `act` unless an earlier call is still running; rethrows its error. */
  async orSkip(act: () => Promise<void>): Promise<void> {
    if (this.isTaken) return;
    this.isTaken = true;
    try {
      await act();
    } finally {
      this.isTaken = false;
    }
  }
}
