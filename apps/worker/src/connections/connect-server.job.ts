import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { ConnectionGrantStore, ToolServerOAuthStore, ToolServerStore } from '#libs/persistence';
import { SecretBox, toolServerOAuthPlace } from '#libs/secrets';
import { oauthFetch, type RegisteredClient } from '#libs/tool-sources';
import { defineJob } from '../jobs/define-job.js';
import { ToolServersModule } from '../tool-servers/tool-servers.module.js';
import { AuthorizationServers } from '../tool-servers/authorization-servers.js';
import { openToolServer } from '../tool-servers/tool-server-repository.js';
import { LOGGER } from '../worker.tokens.js';
import { ConnectServer } from './connect-server.js';
import { lookForChallenge } from './look-for-challenge.js';
import { SealedConnections } from './sealed-connections.js';

/** The API waits for this job and reads the result from its row. */
export const connectServerJob = defineJob({
  queue: 'connect-server',
  concurrency: 10,
  imports: [ToolServersModule],
  inject: [
    ConnectionGrantStore,
    ToolServerStore,
    ToolServerOAuthStore,
    SecretBox,
    AuthorizationServers,
    LOGGER,
  ],
  make: (...given: Parameters<typeof createConnectServer>) => {
    const connectServer = createConnectServer(...given);
    return ({ tenantId, connectionId, attemptId, step }) =>
      connectServer.execute(tenantId, connectionId, attemptId, step);
  },
});

export function createConnectServer(
  grants: ConnectionGrantStore,
  servers: ToolServerStore,
  kept: ToolServerOAuthStore,
  box: SecretBox,
  { client }: Pick<AuthorizationServers, 'client'>,
  logger: Logger,
): ConnectServer {
  const placeOf = (server: { readonly tenantId: string; readonly id: string }): string =>
    toolServerOAuthPlace(server.tenantId, server.id, 'client');
  return new ConnectServer({
    take: (tenantId, id, attemptId) => grants.takeAttempt(tenantId, id, attemptId),
    ask: (id, attemptId, stateSha256, sealed) => grants.ask(id, attemptId, stateSha256, sealed),
    fail: (id, attemptId, fault) => grants.fail(id, attemptId, fault),
    findServer: (tenantId, id) => servers.findSealed(tenantId, id),
    openSecrets: (row) => openToolServer(row, box),
    connections: new SealedConnections(grants, box),
    registrations: {
      read: async (server) => {
        const row = await kept.read(server, 'client');
        if (row === null || !box.isConfigured) return null;
        return JSON.parse(box.open(row.sealed, placeOf(server))) as RegisteredClient;
      },
      write: async (server, registered) => {
        if (!box.isConfigured) return;
        const sealed = box.seal(JSON.stringify(registered), placeOf(server));
        await kept.write(server, 'client', sealed, lifetimeOf(registered));
      },
    },
    look: (server, url) => lookForChallenge(client, server, url),
    makeFetch: (tenantId) => oauthFetch(client, tenantId),
    onError: ({ fault, message }, connectionId, step) =>
      logger.warn({ why: `${fault}: ${message}`, connectionId, step }, 'connection not made'),
  });
}

/** Lifetime of a client registration in milliseconds (RFC 7591 3.2.1), capped at ten years; null if it never expires. */
function lifetimeOf(registered: RegisteredClient): number | null {
  const endsAt = 'client_secret_expires_at' in registered ? registered.client_secret_expires_at : undefined;
  if (endsAt === undefined || endsAt === 0) return null;
  return Math.min(Math.max(endsAt * 1_000 - systemClock.now(), 0), MAX_REGISTRATION_MS);
}

const MAX_REGISTRATION_MS = 10 * 365 * 86_400_000;
