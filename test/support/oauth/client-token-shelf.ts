import type { ClientTokenShelf, IssuedToken, KeptToken, TokenedServer } from '#libs/tool-sources';

/** Keeps tokens in memory for their lifetime. */
export class MemoryClientTokens implements ClientTokenShelf {
  readonly kept = new Map<string, IssuedToken & { readonly keptAt: number }>();

  read({ id, tenantId, version }: TokenedServer): Promise<KeptToken | null> {
    const token = this.kept.get(JSON.stringify([tenantId, id, version]));
    if (token === undefined) return Promise.resolve(null);
    const { accessToken, lifetimeMs, keptAt } = token;
    return Promise.resolve({ accessToken, lifetimeMs, remainingMs: lifetimeMs - (Date.now() - keptAt) });
  }

  write({ id, tenantId, version }: TokenedServer, token: IssuedToken): Promise<void> {
    this.kept.set(JSON.stringify([tenantId, id, version]), { ...token, keptAt: Date.now() });
    return Promise.resolve();
  }
}
