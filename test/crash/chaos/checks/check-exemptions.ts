import type { ChaosWorld, TimeSpan } from '../ledgers/chaos-world.js';
import { coveredMs } from './time-spans.js';
import type { Violation } from './violation.js';

/** Of the time in which faults are done. */
const LARGEST_SHARE = 0.2;

/** The moments in which something is not looked at, by what that is. */
export function exemptShares(world: ChaosWorld): { readonly what: string; readonly share: number }[] {
  const share = (spans: readonly TimeSpan[]) =>
    coveredMs(spans, world.run) / Math.max(1, world.run.to - world.run.from);
  return [
    { what: 'lost events', share: share(world.streamOutages) },
    { what: 'unknown outcomes', share: share(world.leaseOutages) },
    { what: 'forgotten claims', share: share(world.lostTails) },
  ];
}

/** I27: what is forgiven in disturbed moments is not forgiven in most moments. */
export function checkExemptions(world: ChaosWorld): Violation[] {
  return exemptShares(world)
    .filter(({ share }) => share >= LARGEST_SHARE)
    .map(({ what, share }) => ({
      invariant: 'I27',
      subject: what,
      detail: `are forgiven in ${Math.round(share * 100)} % of all moments`,
    }));
}
