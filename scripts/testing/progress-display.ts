import ora, { type Ora } from 'ora';

/** Between two progress lines where the output is no terminal. */
const LINE_EVERY_MS = 15_000;

/** A line of progress that is redrawn on a terminal and repeated elsewhere, below the lines that stay. */
export class ProgressDisplay {
  private readonly spinner: Ora;
  private readonly timer: NodeJS.Timeout;
  private last = '';

  /** @param line the present state */
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

  /** Writes a text that stays. */
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
