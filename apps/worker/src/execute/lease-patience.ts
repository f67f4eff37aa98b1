import type { Claim, Patience } from '#libs/persistence';
import type { LeaseHolder } from './attempt-dependencies.js';

const SHORTEST_WAIT_MS = 25;
const LONGEST_WAIT_MS = 1_000;

/** Lets an attempt go on trying for as long as it has its lease: nobody else can do better meanwhile. */
export class LeasePatience implements Patience {
  constructor(
    private readonly leases: Pick<LeaseHolder, 'holds'>,
    private readonly claim: Pick<Claim, 'token'>,
    private readonly wait: (ms: number) => Promise<unknown>,
    private readonly random: () => number,
  ) {}

  async again(failedTries: number): Promise<boolean> {
    if (!this.leases.holds(this.claim)) return false;
    const longest = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** failedTries);
    await this.wait(longest * (0.5 + this.random() / 2));
    return this.leases.holds(this.claim);
  }
}
