import { AccessTokens, ToolServerFailure, type AccessChallenge, type ToolServer } from '#libs/tooling';
import type { IssuedToken } from './issued-token.js';
import { untilAborted, type SharedWork } from './shared-work.js';

/** A stored token. */
export interface KeptToken {
  readonly accessToken: string;
  /** Remaining milliseconds, by the database's clock. */
  readonly remainingMs: number;
  readonly lifetimeMs: number;
}

/** A server in the version that a token was issued for. */
export type TokenedServer = Pick<ToolServer, 'id' | 'tenantId' | 'version'>;

/** Encrypted storage of servers' tokens that belong to the tenant. */
export interface ClientTokenShelf {
  /** Null if this version of the server has none. */
  read(server: TokenedServer): Promise<KeptToken | null>;
  write(server: TokenedServer, token: IssuedToken): Promise<void>;
}

interface ClientTokensOptions {
  readonly server: TokenedServer;
  readonly shelf: ClientTokenShelf;
  /** Shared by all runs of this process. */
  readonly underWay: SharedWork<string>;
  readonly fetchToken: (challenge: AccessChallenge | null) => Promise<IssuedToken>;
  readonly isGood: (remainingMs: number, lifetimeMs: number) => boolean;
}

/** Tokens of the client credentials grant: they belong to the tenant, not to a user. */
export class ClientTokens extends AccessTokens {
  override readonly holder = 'tenant';

  constructor(private readonly options: ClientTokensOptions) {
    super();
  }

  override async current(signal: AbortSignal): Promise<string> {
    const { server, shelf, isGood } = this.options;
    const kept = await shelf.read(server);
    if (kept !== null && isGood(kept.remainingMs, kept.lifetimeMs)) return kept.accessToken;
    return this.fetch(null, signal);
  }

  override async renew(refused: string, challenge: AccessChallenge, signal: AbortSignal): Promise<string> {
    const { server, shelf } = this.options;
    // Another process may already have replaced the rejected token.
    const kept = await shelf.read(server);
    if (challenge.status === 401 && kept !== null && kept.accessToken !== refused) return kept.accessToken;
    const token = await this.fetch(challenge, signal);
    if (token === refused)
      throw new ToolServerFailure(
        'unauthorized',
        'the server refuses the tokens of its authorization server',
      );
    return token;
  }

  private fetch(challenge: AccessChallenge | null, signal: AbortSignal): Promise<string> {
    const { server, shelf, underWay, fetchToken } = this.options;
    const key = JSON.stringify([server.id, server.version, challenge?.scope ?? null]);
    const fetching = underWay.run(key, async () => {
      const issued = await fetchToken(challenge);
      await shelf.write(server, issued);
      return issued.accessToken;
    });
    return untilAborted(fetching, signal);
  }
}
