/** The only word of the reader of PDF about a font whose text it leaves out. */
const FAILED = /loadFont|translateFont|Font ".*" is not available|ensureStateFont|CMap/;

/**
 * Calls `read`, and says whether a font failed meanwhile. A process reads one document at a time: the console is free for
 * the warnings of its reader, which has no other place for them.
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
