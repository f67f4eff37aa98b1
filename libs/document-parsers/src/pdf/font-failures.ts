/** The only word of the reader of PDF about a font whose text it leaves out. */
const FAILED = /loadFont|translateFont|Font ".*" is not available|ensureStateFont|CMap/;

/** Calls `read`, and says whether a font failed meanwhile. The process reads one document, so that the console is its own. */
export async function watchFonts<T>(
  read: () => Promise<T>,
): Promise<{ readonly value: T; readonly hasFailed: boolean }> {
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
}
