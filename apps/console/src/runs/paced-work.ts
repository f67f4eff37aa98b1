type Later = (begin: () => void) => () => void;

/**
 * Does work some time after it is asked for: once for all that ask in between, and never twice at once. What is asked for
 * while it is done has it done once more, so that a slow service is not asked again before it has answered.
 */
export class PacedWork {
  private isAsked = false;
  private isBusy = false;
  private cancel: (() => void) | null = null;

  /** @param later calls `begin` after a pause, unless what it returns is called before */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly later: Later,
  ) {}

  ask(): void {
    this.isAsked = true;
    if (this.isBusy) return;
    this.cancel ??= this.later(() => void this.begin());
  }

  /** Forgets what was asked for; work under way goes on. */
  forget(): void {
    this.cancel?.();
    this.cancel = null;
    this.isAsked = false;
  }

  private async begin(): Promise<void> {
    this.cancel = null;
    this.isAsked = false;
    this.isBusy = true;
    await this.work().catch(() => undefined);
    this.isBusy = false;
    this.askAgain();
  }

  /** Asks for what was asked for while the work was under way. */
  private askAgain(): void {
    if (this.isAsked) this.ask();
  }
}

/**
 * Waits from `ms` to one and a half times as long: pages that heard of the same change do not all ask in the same
 * instant.
 */
export function afterAbout(ms: number): Later {
  return (begin) => {
    const timer = setTimeout(begin, ms * (1 + Math.random() / 2));
    return () => clearTimeout(timer);
  };
}
