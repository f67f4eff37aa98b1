import { Injectable } from '@nestjs/common';
import { SubmissionGroundsStore, type SubmissionGrounds } from '#libs/persistence';

/** Agents; the ones that were submitted to last. */
const MOST_KEPT = 1_000;

/**
 * What submissions are judged by, kept from one to the next. It may be old: whoever accepts says what it was judged by, and
 * is refused where that has changed; whoever refuses reads it again first. So a change counts for the next submission,
 * whichever process made it.
 */
@Injectable()
export class KeptGrounds {
  private readonly kept = new Map<string, SubmissionGrounds>();

  constructor(private readonly store: SubmissionGroundsStore) {}

  /** Undefined where nothing is kept. */
  findKept(tenantId: string, agentId: number): SubmissionGrounds | undefined {
    const name = nameOf(tenantId, agentId);
    const grounds = this.kept.get(name);
    if (grounds) this.keep(name, grounds);
    return grounds;
  }

  /** As they are now; null where the tenant has no such agent. */
  async read(tenantId: string, agentId: number): Promise<SubmissionGrounds | null> {
    const name = nameOf(tenantId, agentId);
    const grounds = await this.store.find(tenantId, agentId);
    if (grounds) this.keep(name, grounds);
    else this.kept.delete(name);
    return grounds;
  }

  /** As the one that was used last. */
  private keep(name: string, grounds: SubmissionGrounds): void {
    this.kept.delete(name);
    this.kept.set(name, grounds);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

function nameOf(tenantId: string, agentId: number): string {
  return `${agentId} ${tenantId}`;
}
