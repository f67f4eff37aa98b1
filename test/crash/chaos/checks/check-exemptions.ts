import type { ChaosWorld, TimeSpan } from '../ledgers/chaos-world.js';
import { coveredMs } from './time-spans.js';
import type { Violation } from './violation.js';

/** The largest share of the run, 0 to 1, that one kind of exemption may cover. */
const MAX_SHARE = 0.2;

/** The share of the run, 0 to 1, that each kind of exemption covers. */
export function exemptShares(world: ChaosWorld): { readonly what: string; readonly share: number }[] {
  const share = (spans: readonly TimeSpan[]) =>
    coveredMs(spans, world.run) / Math.max(1, world.run.to - world.run.from);
  return [
    { what: 'lost events', share: share(world.streamOutages) },
    { what: 'unknown outcomes', share: share(world.leaseOutages) },
    { what: 'forgotten claims', share: share(world.lostTails) },
  ];
}

/** I27: each kind of exemption covers only a small share of the run. */
export function checkExemptions(world: ChaosWorld): Violation[] {
  return exemptShares(world)
    .filter(({ share }) => share >= MAX_SHARE)
    .map(({ what, share }) => ({
      invariant: 'I27',
      subject: what,
      detail: `are forgiven in ${Math.round(share * 100)} % of all moments`,
    }));
}
