import { createHash, randomBytes } from 'node:crypto';
import type { ConnectionAttempt, SealedToolServer } from '#libs/persistence';
import {
  askForConsent,
  authOf,
  exchangeCode,
  revokeGrant,
  type CodeConfig,
  type ConnectionGrant,
  type PendingConsent,
  type RegisteredClient,
} from '#libs/tool-sources';
import { ToolServerFailure, type AccessChallenge, type ToolServer } from '#libs/tooling';
import type { SealedConnections } from './sealed-connections.js';

export interface ConnectServerDependencies {
  /** Claims the pending attempt; null if another worker has claimed it or it is obsolete. */
  readonly take: (tenantId: string, id: string, attemptId: string) => Promise<ConnectionAttempt | null>;
  readonly ask: (id: string, attemptId: string, stateSha256: string, sealed: string) => Promise<boolean>;
  readonly fail: (id: string, attemptId: string, fault: string) => Promise<void>;
  /** Finds the server regardless of its status. */
  readonly findServer: (tenantId: string, serverId: string) => Promise<SealedToolServer | null>;
  readonly openSecrets: (row: SealedToolServer) => ToolServer;
  readonly connections: Pick<SealedConnections, 'open' | 'seal' | 'connect'>;
  /** Registrations of the tenant as a client of a server's authorization server. */
  readonly registrations: {
    read(server: ToolServer): Promise<RegisteredClient | null>;
    write(server: ToolServer, client: RegisteredClient): Promise<void>;
  };
  /** Reads the server's challenge to a request without a token; null if it sends none. */
  readonly look: (server: ToolServer, url: string) => Promise<AccessChallenge | null>;
  readonly makeFetch: (tenantId: string) => typeof fetch;
  readonly onError: (error: ToolServerFailure, connectionId: string, step: ConnectStep) => void;
}

export type ConnectStep = 'ask' | 'exchange' | 'revoke';

interface Place {
  readonly tenantId: string;
  readonly attempt: ConnectionAttempt;
  readonly server: ToolServer;
  readonly url: string;
  readonly config: CodeConfig;
}

/** Consent that a person has returned with, and its authorization code. */
interface Answered {
  readonly pending: PendingConsent;
  readonly code: string;
}

/** Performs the steps of a connection at an authorization server, from the network of the workers that call tool servers. */
export class ConnectServer {
  constructor(private readonly deps: ConnectServerDependencies) {}

  /** Resolves once the result is stored. */
  async execute(tenantId: string, connectionId: string, attemptId: string, step: ConnectStep): Promise<void> {
    const attempt = await this.deps.take(tenantId, connectionId, attemptId);
    if (attempt === null) return;
    try {
      const place = await this.locate(tenantId, attempt);
      if (step === 'ask') await this.ask(place);
      else if (step === 'exchange') await this.exchange(place);
      else await this.revoke(place);
    } catch (error) {
      if (!(error instanceof ToolServerFailure)) throw error;
      this.deps.onError(error, connectionId, step);
      await this.deps.fail(connectionId, attemptId, error.message);
    }
  }

  private async locate(tenantId: string, attempt: ConnectionAttempt): Promise<Place> {
    const row = await this.deps.findServer(tenantId, attempt.serverId);
    if (row === null) throw new ToolServerFailure('unsupported', 'the tool server has been deleted since');
    const server = this.deps.openSecrets(row);
    const wanted = authOf(server);
    if (wanted?.auth.grant !== 'authorization_code')
      throw new ToolServerFailure('unsupported', 'the tool server takes no connections of users any more');
    return { tenantId, attempt, server, url: wanted.url, config: wanted.auth };
  }

  private async ask({ tenantId, attempt, server, url, config }: Place): Promise<void> {
    const { registrations, makeFetch, look, connections } = this.deps;
    const registered = config.client_auth === 'registered' ? await registrations.read(server) : null;
    const seen = await look(server, url);
    const scopes = [attempt.missingScope, seen?.scope].filter(
      (scope) => scope !== null && scope !== undefined,
    );
    const challenge = {
      scope: scopes.length === 0 ? null : [...new Set(scopes.join(' ').split(' '))].join(' '),
      resourceMetadata: seen?.resourceMetadata ?? null,
    };
    const state = randomBytes(32).toString('base64url');
    const asked = await askForConsent(
      { serverUrl: url, config, registered, challenge, state },
      makeFetch(tenantId),
    );
    if (config.client_auth === 'registered') await registrations.write(server, asked.pending.client);
    const { id, attemptId } = attempt;
    await this.deps.ask(id, attemptId, sha256(state), connections.seal(tenantId, id, asked));
  }

  private async exchange({ tenantId, attempt, server, url, config }: Place): Promise<void> {
    const { id, attemptId, sealed } = attempt;
    if (sealed === null) return;
    const { connections, makeFetch } = this.deps;
    const { pending, code } = connections.open(tenantId, id, sealed) as Answered;
    const grant = await exchangeCode(url, config, pending, code, makeFetch(tenantId));
    if (await connections.connect(server, id, attemptId, grant)) return;
    // A newer attempt has begun or the connection was revoked, so these tokens must not stay valid.
    await revokeGrant(config, grant, makeFetch(tenantId));
  }

  private async revoke({ tenantId, attempt, config }: Place): Promise<void> {
    const { id, sealed } = attempt;
    if (sealed === null) return;
    const grant = this.deps.connections.open(tenantId, id, sealed) as Partial<ConnectionGrant>;
    if (isWhole(grant)) await revokeGrant(config, grant, this.deps.makeFetch(tenantId));
  }
}

/** Whether the authorization server has issued tokens. */
export function isWhole(grant: Partial<ConnectionGrant>): grant is ConnectionGrant {
  return grant.tokens !== undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
