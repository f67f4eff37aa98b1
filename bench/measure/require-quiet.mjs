// @ts-check
import { availableParallelism, loadavg } from 'node:os';
import { say, style } from '../../scripts/local/terminal.ts';
import { whyTooBusy } from './busy-machine.mjs';

/**
 * Refuses to measure on a busy machine, or warns.
 * @param {{evenIfBusy: boolean}} options
 * @throws {Error} saying how to measure nevertheless
 */
export function requireQuiet({ evenIfBusy }) {
  const why = whyTooBusy({ loadAverage: loadavg()[0] ?? 0, cores: availableParallelism() });
  if (why === null) return;
  if (!evenIfBusy) throw new Error(`${why} Wait, or measure nevertheless with --even-if-busy.`);
  say(style.yellow(`${why} What follows says little; compare ratios at most.`));
}
