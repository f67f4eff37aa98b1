const isTerminal = process.stdout.isTTY === true;
const hasColours = isTerminal && (process.env.NO_COLOR ?? '') === '';

/** Colours that turn into nothing where the output is no terminal or NO_COLOR is set. */
export const style = {
  bold: paint(1),
  dim: paint(2),
  red: paint(31),
  green: paint(32),
  yellow: paint(33),
  cyan: paint(36),
};

/** @param {number} code @returns {(text: string) => string} */
function paint(code) {
  return (text) => (hasColours ? `\u001B[${code}m${text}\u001B[0m` : text);
}

/** Characters that fit on a line. */
export function terminalWidth() {
  return Math.max(60, process.stdout.columns || 110);
}

/** @param {string} line */
export function say(line = '') {
  process.stdout.write(`${line}\n`);
}

/**
 * Writes text that goes on where the last one ended; only a terminal is written to.
 * @param {string} text
 */
export function sayInPlace(text) {
  if (isTerminal) process.stdout.write(text);
}

/** Whether text may be written piece by piece, as it arrives. */
export function canSayInPlace() {
  return isTerminal;
}

/**
 * Shortens to `width` characters, on one line.
 * @param {string} text
 * @param {number} width
 */
export function clip(text, width) {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/**
 * One line for something that takes a while: what it is and for how long already, then how it ended. Without a
 * terminal only the ending is written, and the beginning when `isLong`.
 * @template T
 * @param {string} label
 * @param {(note: (text: string) => void) => Promise<T>} work `note` sets the plain words behind the label
 * @param {{isLong?: boolean}} [options]
 * @returns {Promise<T>}
 */
export async function withProgress(label, work, { isLong = false } = {}) {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  const name = label.padEnd(10);
  let words = '';
  const draw = () => {
    const line = `${name} ${clip(words, terminalWidth() - 30)} ${style.dim(seconds())}`;
    process.stdout.write(`\r\u001B[2K  ${style.dim('…')} ${line}`);
  };
  if (isTerminal) draw();
  else if (isLong) say(`  … ${name}`);
  const timer = isTerminal ? setInterval(draw, 200) : undefined;
  const end = (/** @type {string} */ sign) => {
    clearInterval(timer);
    say(`${isTerminal ? '\r\u001B[2K' : ''}  ${sign} ${name} ${words} ${style.dim(`(${seconds()})`)}`);
  };
  try {
    const result = await work((text) => {
      words = text;
    });
    end(style.green('✓'));
    return result;
  } catch (error) {
    end(style.red('✗'));
    throw error;
  }
}
