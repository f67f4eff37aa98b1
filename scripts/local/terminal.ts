import { styleText } from 'node:util';
import cliTruncate from 'cli-truncate';
import ora from 'ora';

/** Whether text may be written piece by piece, as it arrives. */
export const isTerminal = process.stdout.isTTY;

/** Turns into nothing where the output is no terminal or NO_COLOR is set. */
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

/** Columns of a line. */
export function terminalWidth(): number {
  return Math.max(60, process.stdout.columns || 110);
}

/** Prints a line. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Text on one line, cut where it is wider than `columns` on a terminal. */
export function clip(text: string, columns: number): string {
  return cliTruncate(text.replaceAll(/\s+/gu, ' ').trim(), columns);
}

/**
 * One line for something that takes a while: what it is and for how long already, then how it ended. Without a
 * terminal only the ending is written.
 * @param work gets `note`, which sets the words behind the label
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
    // An indent, also where there is no terminal: it is followed by a space.
    prefixText: ' ',
    stream: process.stdout,
    // A terminal that does not know its width says 0, of which the spinner would clear infinitely many lines.
    ...(process.stdout.columns === 0 ? { isEnabled: false } : {}),
    // Otherwise the terminal is in raw mode, where Ctrl-C does not interrupt the child processes of this one.
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
