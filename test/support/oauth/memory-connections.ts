import { randomUUID } from 'node:crypto';
import type { ConnectionGrant, ConnectionShelf, HeldConnection } from '#libs/tool-sources';
import type { ToolServer } from '#libs/tooling';

interface Kept {
  readonly id: string;
  grant: ConnectionGrant;
  lease: string | null;
}

/** Keeps connections in memory. */
export class MemoryConnections implements ConnectionShelf {
  readonly missing: string[] = [];
  private readonly kept = new Map<string, Kept>();

  connect(server: ToolServer, userId: string, grant: ConnectionGrant): void {
    this.kept.set(`${server.id} ${userId}`, { id: randomUUID(), grant, lease: null });
  }

  read({ id }: ToolServer, userId: string): Promise<HeldConnection | null> {
    const kept = this.kept.get(`${id} ${userId}`);
    const lifetimeMs = (kept?.grant.tokens.expires_in ?? 3_600) * 1_000;
    return Promise.resolve(
      kept === undefined ? null : { id: kept.id, grant: kept.grant, remainingMs: lifetimeMs, lifetimeMs },
    );
  }

  beginRefresh(id: string): ReturnType<ConnectionShelf['beginRefresh']> {
    const kept = this.find(id);
    if (kept?.lease !== null) return Promise.resolve(null);
    kept.lease = randomUUID();
    return Promise.resolve({ lease: kept.lease, isAfterLost: false });
  }

  keepRefreshed(_server: ToolServer, id: string, lease: string, grant: ConnectionGrant): Promise<boolean> {
    const kept = this.find(id);
    if (kept?.lease !== lease) return Promise.resolve(false);
    Object.assign(kept, { grant, lease: null });
    return Promise.resolve(true);
  }

  endRefresh(id: string): Promise<void> {
    const kept = this.find(id);
    if (kept !== undefined) kept.lease = null;
    return Promise.resolve();
  }

  giveUp(id: string): Promise<void> {
    for (const [key, kept] of this.kept) if (kept.id === id) this.kept.delete(key);
    return Promise.resolve();
  }

  noteMissingScope(_id: string, scope: string): Promise<void> {
    this.missing.push(scope);
    return Promise.resolve();
  }

  private find(id: string): Kept | undefined {
    return [...this.kept.values()].find((kept) => kept.id === id);
  }
}
