import { Injectable } from '@nestjs/common';
import { ToolServerOAuthStore } from '#libs/persistence';
import { SecretBox, toolServerOAuthPlace } from '#libs/secrets';
import type { ClientTokenShelf, IssuedToken, KeptToken, TokenedServer } from '#libs/tool-sources';

/** Stored access tokens of tenants for their tool servers. */
@Injectable()
export class SealedClientTokens implements ClientTokenShelf {
  constructor(
    private readonly store: ToolServerOAuthStore,
    private readonly box: SecretBox,
  ) {}

  async read(server: TokenedServer): Promise<KeptToken | null> {
    const row = await this.store.read(server, 'token');
    if (row === null || row.remainingMs === null || row.lifetimeMs === null) return null;
    const accessToken = this.box.open(row.sealed, placeOf(server));
    return { accessToken, remainingMs: row.remainingMs, lifetimeMs: row.lifetimeMs };
  }

  async write(server: TokenedServer, { accessToken, lifetimeMs }: IssuedToken): Promise<void> {
    const sealed = this.box.seal(accessToken, placeOf(server));
    await this.store.write(server, 'token', sealed, lifetimeMs);
  }
}

function placeOf({ tenantId, id }: TokenedServer): string {
  return toolServerOAuthPlace(tenantId, id, 'token');
}
