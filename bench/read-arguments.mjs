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
 * Ends the process.
 * @param {string} usage
 * @param {unknown} error null when the usage was asked for
 * @returns {never}
 */
export function endWithUsage(usage, error) {
  const reason = error === null ? '' : `${error instanceof Error ? error.message : String(error)}\n`;
  process.stdout.write(`${reason}${usage}\n`);
  process.exit(error === null ? 0 : 1);
}
