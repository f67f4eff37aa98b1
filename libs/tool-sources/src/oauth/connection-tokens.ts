import { setTimeout as sleep } from 'node:timers/promises';
import { AccessTokens, ToolServerFailure, type AccessChallenge, type ToolServer } from '#libs/tooling';
import { canRefresh, type ConnectionGrant } from './connection-grant.js';
import { isGood, readIssued } from './issued-token.js';
import { refreshGrant, revokeGrant } from './late-oauth.js';
import { untilAborted, type SharedWork } from './shared-work.js';
import type { CodeConfig } from './consent.js';

/** A usable connection of one person. */
export interface HeldConnection {
  /** UUID. */
  readonly id: string;
  readonly grant: ConnectionGrant;
  /** Remaining milliseconds of the access token, by the database's clock. */
  readonly remainingMs: number;
  readonly lifetimeMs: number;
}

/** Reason for a new consent. `refresh_lost`: a process died between requesting and storing new tokens. */
export type ReconnectReason = 'refused' | 'refresh_lost' | 'expired';

/** Storage of connections. */
export interface ConnectionShelf {
  /** Null if the person has no connection to this version of the server, or must reconnect. */
  read(server: ToolServer, userId: string): Promise<HeldConnection | null>;
  /** Acquires the refresh lease for 30 seconds; null while another process holds it. */
  beginRefresh(id: string): Promise<{ readonly lease: string; readonly isAfterLost: boolean } | null>;
  /** False if the connection was revoked in between; the tokens are then not stored. */
  keepRefreshed(server: ToolServer, id: string, lease: string, grant: ConnectionGrant): Promise<boolean>;
  endRefresh(id: string, lease: string): Promise<void>;
  /** Marks the connection as requiring a new consent. */
  giveUp(id: string, lease: string, reason: ReconnectReason): Promise<void>;
  /** Records that the server requires a scope beyond the person's consent. */
  noteMissingScope(id: string, scope: string): Promise<void>;
}

interface ConnectionTokensOptions {
  readonly server: ToolServer;
  readonly config: CodeConfig;
  readonly userId: string;
  readonly shelf: ConnectionShelf;
  /** Shared by all runs of this process. */
  readonly underWay: SharedWork<string>;
  readonly makeFetch: () => typeof fetch;
}

/** Maximum milliseconds to wait for another process's refresh; opening a server has 12 s in total. */
const MAX_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;

/** Tokens of one person for one server. */
export class ConnectionTokens extends AccessTokens {
  override readonly holder: string;

  constructor(private readonly options: ConnectionTokensOptions) {
    super();
    this.holder = `user ${options.userId}`;
  }

  override async current(signal: AbortSignal): Promise<string> {
    const held = await this.read();
    if (isGood(held.remainingMs, held.lifetimeMs)) return held.grant.tokens.access_token;
    if (!canRefresh(held.grant) && held.remainingMs > 0) return held.grant.tokens.access_token;
    return this.refresh(held, signal);
  }

  override async renew(refused: string, challenge: AccessChallenge, signal: AbortSignal): Promise<string> {
    const held = await this.read();
    if (held.grant.tokens.access_token !== refused) return held.grant.tokens.access_token;
    if (challenge.status === 401) return this.refresh(held, signal);
    if (challenge.scope !== null) await this.options.shelf.noteMissingScope(held.id, challenge.scope);
    throw new ToolServerFailure('connection_needed', MORE_NEEDED);
  }

  private async read(): Promise<HeldConnection> {
    const { shelf, server, userId } = this.options;
    const held = await shelf.read(server, userId);
    if (held === null) throw new ToolServerFailure('connection_needed', NEEDED);
    return held;
  }

  private refresh({ id, grant }: HeldConnection, signal: AbortSignal): Promise<string> {
    const old = grant.tokens.access_token;
    const renewing = this.options.underWay.run(`connection ${id}`, () => this.waitAndRefresh(old));
    return untilAborted(renewing, signal);
  }

  /** A refresh token may be single-use: one process refreshes, and the others wait for its result. */
  private async waitAndRefresh(old: string): Promise<string> {
    const { shelf } = this.options;
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
      const { id, grant } = await this.read();
      if (grant.tokens.access_token !== old) return grant.tokens.access_token;
      const begun = await shelf.beginRefresh(id);
      if (begun !== null) return this.refreshAs(begun.lease, begun.isAfterLost, old);
      await sleep(LOOK_EVERY_MS);
    }
    throw new ToolServerFailure('unreachable', 'the tokens of the connection are being renewed elsewhere');
  }

  private async refreshAs(lease: string, isAfterLost: boolean, old: string): Promise<string> {
    const { shelf, server, config, makeFetch } = this.options;
    // Another process may have stored new tokens just before the lease was released.
    const held = await this.read();
    const { id, grant } = held;
    if (grant.tokens.access_token !== old) {
      await shelf.endRefresh(id, lease);
      return grant.tokens.access_token;
    }
    if (!canRefresh(grant)) {
      await shelf.giveUp(id, lease, held.remainingMs > 0 ? 'refused' : 'expired');
      throw new ToolServerFailure('connection_needed', NEEDED);
    }
    try {
      const renewed = await refreshGrant(config, grant, makeFetch());
      readIssued(renewed.tokens);
      if (await shelf.keepRefreshed(server, id, lease, renewed)) return renewed.tokens.access_token;
      // The connection was revoked in between, so the newly issued tokens are revoked as well.
      await revokeGrant(config, renewed, makeFetch()).catch(() => false);
    } catch (error) {
      if (!(error instanceof ToolServerFailure) || error.fault !== 'unauthorized') {
        await shelf.endRefresh(id, lease);
        throw error;
      }
      await shelf.giveUp(id, lease, isAfterLost ? 'refresh_lost' : 'refused');
    }
    throw new ToolServerFailure('connection_needed', NEEDED);
  }
}

/** Tokens of a run without an executor: every use fails. */
export class AnonymousTokens extends AccessTokens {
  override readonly holder = 'none';

  override current(): Promise<never> {
    return Promise.reject(new ToolServerFailure('connection_needed', NO_EXECUTOR));
  }

  override renew(): Promise<never> {
    return this.current();
  }
}

const NEEDED = 'the user on whose behalf it is called has to connect to it first (/api/connections/)';
const MORE_NEEDED = 'it wants more than the user has agreed to, who has to connect again (/api/connections/)';
const NO_EXECUTOR = 'it needs a connection of a user, and the request names no executor';
