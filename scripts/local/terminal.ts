import { styleText } from 'node:util';
import cliTruncate from 'cli-truncate';
import ora from 'ora';

/** Whether text may be written in pieces as it arrives. */
export const isTerminal = process.stdout.isTTY;

/** Returns the text unstyled where the output is no terminal or NO_COLOR is set. */
const paint =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { stream: process.stdout });

export const style = {
  bold: paint('bold'),
  dim: paint('dim'),
  red: paint('red'),
  green: paint('green'),
  yellow: paint('yellow'),
  cyan: paint('cyan'),
};

/** Width of the terminal in columns. */
export function terminalWidth(): number {
  return Math.max(60, process.stdout.columns || 110);
}

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Text in one line, truncated to `columns` on a terminal. */
export function clip(text: string, columns: number): string {
  return cliTruncate(text.replaceAll(/\s+/gu, ' ').trim(), columns);
}

/**
 * One line for a lengthy task: its name and duration so far, then its outcome. Without a terminal, only the outcome is
 * written.
 * @param work gets `note`, which sets the text after the label
 */
export async function withProgress<T>(
  label: string,
  work: (note: (text: string) => void) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  const name = label.padEnd(10);
  const spinner = ora({
    text: name,
    // An indent, also without a terminal; a space follows it.
    prefixText: ' ',
    stream: process.stdout,
    // A terminal of unknown width reports 0, for which the spinner would clear lines without end.
    ...(process.stdout.columns === 0 ? { isEnabled: false } : {}),
    // Otherwise the terminal is in raw mode, in which Ctrl-C does not interrupt child processes.
    discardStdin: false,
    suffixText: () => style.dim(`(${seconds()})`),
  });
  if (spinner.isEnabled) spinner.start();
  const note = (words: string): void => {
    spinner.text = `${name} ${words}`;
  };
  try {
    const result = await work(note);
    spinner.stopAndPersist({ symbol: style.green('✓') });
    return result;
  } catch (error) {
    spinner.stopAndPersist({ symbol: style.red('✗') });
    throw error;
  }
}
