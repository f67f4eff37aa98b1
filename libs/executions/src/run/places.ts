/** The executions that this process runs at once. */
export class Places {
  private taken = 0;

  constructor(private readonly count: number) {}

  get areTaken(): boolean {
    return this.taken >= this.count;
  }

  /** Until the returned function is called. */
  take(): () => void {
    this.taken += 1;
    return () => {
      this.taken -= 1;
    };
  }
}
