// @ts-check
/** Load per core above which the machine is too busy to measure. */
const MAX_LOAD_PER_CORE = 0.5;

/**
 * Checks whether a machine is quiet enough to measure.
 * @param {{loadAverage: number, cores: number}} machine the load of the last minute
 * @returns {string | null} what is wrong; null when it is quiet
 */
export function whyTooBusy({ loadAverage, cores }) {
  const most = MAX_LOAD_PER_CORE * cores;
  if (loadAverage <= most) return null;
  return `The machine is busy: a load of ${loadAverage.toFixed(2)} over the last minute, and at most ${most} is quiet on ${cores} cores.`;
}
