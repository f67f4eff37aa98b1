/** Lets one call through, and leaves out those that come while it goes on: for what a timer repeats. */
export class OneAtATime {
  private isTaken = false;

  /** Runs `act` unless an earlier one still runs; throws what it throws. */
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
