import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimFence, ExecutionClaimStore } from '#libs/persistence';

const TRY_EVERY_MS = 1_000;

/**
 * Gives back claims of which no answer came: the database may have granted them, and then nobody runs what they hold until
 * the lease has run out. Tries in the background until the database takes it, or the lease has passed.
 */
export class LostClaims {
  constructor(
    private readonly claims: Pick<ExecutionClaimStore, 'giveBack'>,
    private readonly leaseMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  giveBackLater(claim: ClaimFence): void {
    void this.giveBack(claim);
  }

  private async giveBack(claim: ClaimFence): Promise<void> {
    for (let passedMs = 0; passedMs < this.leaseMs; passedMs += TRY_EVERY_MS) {
      try {
        await this.claims.giveBack(claim);
        return;
      } catch (error) {
        this.onError(error);
        await sleep(TRY_EVERY_MS, undefined, { ref: false });
      }
    }
  }
}
