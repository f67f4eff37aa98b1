import { AppError } from '#libs/kernel';
import type { ToolServerOAuthStore } from '#libs/persistence';
import { toolServerOAuthPlace, type SecretBox } from '#libs/secrets';
import type { ClientTokenShelf, IssuedToken, KeptToken, TokenedServer } from '#libs/tool-sources';

/** The access tokens of tenants for their tool servers, as they are stored. */
export class SealedClientTokens implements ClientTokenShelf {
  /** @param box null where no key for sealing is configured: then none can be kept */
  constructor(
    private readonly store: Pick<ToolServerOAuthStore, 'read' | 'write'>,
    private readonly box: SecretBox | null,
  ) {}

  async read(server: TokenedServer): Promise<KeptToken | null> {
    const row = await this.store.read(server, 'token');
    if (row === null || row.remainingMs === null || row.lifetimeMs === null) return null;
    const accessToken = this.requireBox().open(row.sealed, placeOf(server));
    return { accessToken, remainingMs: row.remainingMs, lifetimeMs: row.lifetimeMs };
  }

  async write(server: TokenedServer, { accessToken, lifetimeMs }: IssuedToken): Promise<void> {
    const sealed = this.requireBox().seal(accessToken, placeOf(server));
    await this.store.write(server, 'token', sealed, lifetimeMs);
  }

  private requireBox(): SecretBox {
    if (this.box !== null) return this.box;
    throw new AppError({
      code: 'SECRET_UNREADABLE',
      kind: 'internal',
      message: 'a stored secret cannot be read: ENCRYPTION_KEY is not set',
    });
  }
}

function placeOf({ tenantId, id }: TokenedServer): string {
  return toolServerOAuthPlace(tenantId, id, 'token');
}
