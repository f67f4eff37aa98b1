/** Warnings by which the PDF library reports a font with lost text. */
const FAILED = /loadFont|translateFont|Font ".*" is not available|ensureStateFont|CMap/;

/**
 * Calls `read` and detects font failures from console warnings, the only place where the library reports them. Safe
 * because each process parses a single document.
 */
export async function watchFonts<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T; readonly hasFailed: boolean }> {
  /* eslint-disable no-console -- the reader of PDF says nowhere else that a font failed */
  const { warn } = console;
  let hasFailed = false;
  console.warn = (...words: readonly unknown[]) => {
    hasFailed ||= words.some((word) => typeof word === 'string' && FAILED.test(word));
  };
  try {
    const value = await read();
    return { value, hasFailed };
  } finally {
    console.warn = warn;
  }
  /* eslint-enable no-console */
}
