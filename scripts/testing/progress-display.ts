import ora, { type Ora } from 'ora';

/** Interval of progress lines without a terminal, in ms. */
const LINE_EVERY_MS = 15_000;

/** A progress line below permanent lines: redrawn on a terminal, repeated elsewhere. */
export class ProgressDisplay {
  private readonly spinner: Ora;
  private readonly timer: NodeJS.Timeout;
  private last = '';

  /** @param line returns the current state */
  constructor(line: () => string) {
    this.spinner = ora({ discardStdin: false, stream: process.stdout });
    const isLive = this.spinner.isEnabled;
    if (isLive) this.spinner.start();
    this.timer = setInterval(
      () => {
        const text = line();
        if (isLive) this.spinner.text = text;
        else if (text !== this.last) process.stdout.write(`${text}\n`);
        this.last = text;
      },
      isLive ? 200 : LINE_EVERY_MS,
    );
  }

  /** Prints a permanent text. */
  print(text: string): void {
    const isLive = this.spinner.isSpinning;
    if (isLive) this.spinner.clear();
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    if (isLive) this.spinner.render();
  }

  end(): void {
    clearInterval(this.timer);
    this.spinner.stop();
  }
}
