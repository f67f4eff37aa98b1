import { Injectable } from '@nestjs/common';
import { SubmissionGroundsStore, type SubmissionGrounds } from '#libs/persistence';

/** Maximum cached agents; the least recently used one is evicted. */
const MAX_KEPT = 1_000;

/**
 * Caches the data that submissions are validated against. It may be stale: acceptance compares versions and refuses an
 * outdated one, and a refusal is re-evaluated on fresh data. So a change applies to the next submission in every process.
 */
@Injectable()
export class SubmissionCache {
  private readonly kept = new Map<string, SubmissionGrounds>();

  constructor(private readonly store: SubmissionGroundsStore) {}

  /** The cached data; undefined on a cache miss. */
  findKept(tenantId: string, agentId: number): SubmissionGrounds | undefined {
    const name = nameOf(tenantId, agentId);
    const grounds = this.kept.get(name);
    if (grounds) this.keep(name, grounds);
    return grounds;
  }

  /** Reads the current data into the cache; null if the tenant has no such agent. */
  async read(tenantId: string, agentId: number): Promise<SubmissionGrounds | null> {
    const name = nameOf(tenantId, agentId);
    const grounds = await this.store.find(tenantId, agentId);
    if (grounds) this.keep(name, grounds);
    else this.kept.delete(name);
    return grounds;
  }

  /** Reads the data of one version, without the cache; null where the agent has no such version. */
  readVersion(tenantId: string, agentId: number, version: number): Promise<SubmissionGrounds | null> {
    return this.store.findVersion(tenantId, agentId, version);
  }

  /** Stores the entry as the most recently used one. */
  private keep(name: string, grounds: SubmissionGrounds): void {
    this.kept.delete(name);
    this.kept.set(name, grounds);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

function nameOf(tenantId: string, agentId: number): string {
  return `${agentId} ${tenantId}`;
}
