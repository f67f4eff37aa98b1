// @ts-check
/** Above this much of each core the machine does something else as well. */
const MOST_LOAD_PER_CORE = 0.5;

/**
 * Whether a machine is quiet enough to be measured on.
 * @param {{loadAverage: number, cores: number}} machine the load of the last minute
 * @returns {string | null} what is wrong; null when it is quiet
 */
export function whyTooBusy({ loadAverage, cores }) {
  const most = MOST_LOAD_PER_CORE * cores;
  if (loadAverage <= most) return null;
  return `The machine is busy: a load of ${loadAverage.toFixed(2)} over the last minute, and at most ${most} is quiet on ${cores} cores.`;
}
