// @ts-check
/**
 * @param {string | undefined} backend
 * @returns {import('./bench-arguments.mjs').Backend | null}
 */
export function readBackend(backend) {
  if (backend === undefined) return null;
  if (backend !== 'postgres' && backend !== 'redis')
    throw new Error(`--backend: postgres or redis, not "${backend}"`);
  return backend;
}

/**
 * @param {string | undefined} only what was asked for, parted by commas; all where nothing was
 * @param {readonly string[]} known
 * @param {string} noun what each of them is called
 */
export function readKeys(only, known, noun) {
  if (only === undefined) return known;
  const keys = only.split(',').map((key) => key.trim());
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`--only: there is no ${noun} "${unknown}"`);
  return keys;
}

/**
 * Prints the usage and exits.
 * @param {string} usage
 * @param {unknown} error null when the usage was asked for
 * @returns {never}
 */
export function endWithUsage(usage, error) {
  const reason = error === null ? '' : `${error instanceof Error ? error.message : String(error)}\n`;
  process.stdout.write(`${reason}${usage}\n`);
  process.exit(error === null ? 0 : 1);
}
