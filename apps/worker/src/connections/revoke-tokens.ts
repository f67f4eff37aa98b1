import { randomUUID } from 'node:crypto';
import type { ClaimedRevocation, TokenRevocationStore } from '#libs/persistence';
import { revokeGrant, type ConnectionGrant } from '#libs/tool-sources';
import { ToolServerFailure, type OAuthConfig } from '#libs/tooling';

export interface RevokeTokensDependencies {
  readonly store: Pick<TokenRevocationStore, 'claim' | 'end' | 'putOff'>;
  /** What was sealed: the tokens, and how their client shows who it is. Throws where it cannot be opened. */
  readonly open: (claimed: ClaimedRevocation) => {
    /** Without tokens where consent was all that there was. */
    readonly grant: Partial<ConnectionGrant>;
    /** Null where the server had none any more. */
    readonly config: OAuthConfig | null;
  };
  readonly makeFetch: (tenantId: string) => typeof fetch;
  readonly onTrouble: (error: unknown, claimed: ClaimedRevocation, isLast: boolean) => void;
}

/** Two exchanges, which have 10 s together. */
const LEASE_MS = 60_000;
const MOST_TRIES = 8;
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;

/** Milliseconds until the next try: from half a minute to six hours, half a day altogether. */
export function delayAfter(tryNumber: number): number {
  return Math.min(FIRST_DELAY_MS * 4 ** (tryNumber - 1), LONGEST_DELAY_MS);
}

/** Revokes what users had agreed to of a server that was deleted (RFC 7009). */
export class RevokeTokens {
  constructor(private readonly deps: RevokeTokensDependencies) {}

  /** Resolves once it is done, put off or given up. */
  async execute(connectionId: string): Promise<void> {
    const { store, onTrouble } = this.deps;
    const claimed = await store.claim(connectionId, randomUUID(), LEASE_MS);
    if (claimed === null) return;
    if (claimed.tryNumber > MOST_TRIES) {
      onTrouble(new Error('whoever had the last try has died over it'), claimed, true);
      return store.end(claimed);
    }
    try {
      await this.revoke(claimed);
    } catch (error) {
      const isLast = claimed.tryNumber === MOST_TRIES || !mayPass(error);
      onTrouble(error, claimed, isLast);
      return isLast ? store.end(claimed) : store.putOff(claimed, delayAfter(claimed.tryNumber));
    }
    await store.end(claimed);
  }

  /** Throws a `ToolServerFailure` that is no use to wait for where the authorization server takes no such word from us. */
  private async revoke(claimed: ClaimedRevocation): Promise<void> {
    const { grant, config } = this.deps.open(claimed);
    if (!isWhole(grant)) return;
    if (!(await revokeGrant(config, grant, this.deps.makeFetch(claimed.tenantId))))
      throw new ToolServerFailure('refused', 'the authorization server does not revoke all tokens for us');
  }
}

/** What cannot be opened may be opened by a process with another key. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ToolServerFailure) || error.fault === 'unreachable';
}

function isWhole(grant: Partial<ConnectionGrant>): grant is ConnectionGrant {
  return grant.tokens !== undefined;
}
