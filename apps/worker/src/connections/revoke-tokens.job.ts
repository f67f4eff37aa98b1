import type { Logger } from '#libs/observability';
import { TokenRevocationStore, type ClaimedRevocation } from '#libs/persistence';
import { connectionPlace, SecretBox, toolServerPlace } from '#libs/secrets';
import { oauthFetch, type ConnectionGrant } from '#libs/tool-sources';
import { oauthSchema, restoreLiterals, type OAuthConfig, type TemplateLiterals } from '#libs/tooling';
import { defineJob } from '../jobs/define-job.js';
import { ToolServersModule } from '../tool-servers/tool-servers.module.js';
import { AuthorizationServers } from '../tool-servers/authorization-servers.js';
import { LOGGER } from '../worker.tokens.js';
import { RevokeTokens } from './revoke-tokens.js';

/** Jobs that may wait and run. */
const WAITING = { queueTarget: 50 };

export const revokeTokensJob = defineJob({
  queue: 'revoke-tokens',
  concurrency: 5,
  imports: [ToolServersModule],
  inject: [TokenRevocationStore, SecretBox, AuthorizationServers, LOGGER],
  make: (...given: Parameters<typeof createRevokeTokens>) => {
    const revokeTokens = createRevokeTokens(...given);
    return ({ connectionId }) => revokeTokens.execute(connectionId);
  },
  rows: {
    inject: [TokenRevocationStore],
    make: (store: TokenRevocationStore) => ({
      take: (_announced, redispatchAfterMs) => store.take({ ...WAITING, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => store.isOverdue(forMs),
    }),
  },
});

function createRevokeTokens(
  store: TokenRevocationStore,
  box: SecretBox,
  { client }: Pick<AuthorizationServers, 'client'>,
  logger: Logger,
): RevokeTokens {
  return new RevokeTokens({
    store,
    open: (claimed) => ({ grant: openGrant(claimed, box), config: openConfig(claimed, box) }),
    makeFetch: (tenantId) => oauthFetch(client, tenantId),
    onTrouble: (err, { tenantId, connectionId, tryNumber }, isLast) =>
      logger.warn(
        { err, tenantId, connectionId, tryNumber },
        isLast ? 'tokens of a deleted tool server are not revoked' : 'tokens are not revoked yet',
      ),
  });
}

function openGrant(
  { tenantId, connectionId, grantSealed }: ClaimedRevocation,
  box: SecretBox,
): Partial<ConnectionGrant> {
  return JSON.parse(
    box.open(grantSealed, connectionPlace(tenantId, connectionId)),
  ) as Partial<ConnectionGrant>;
}

function openConfig(
  { tenantId, serverId, auth, literalsSealed }: ClaimedRevocation,
  box: SecretBox,
): OAuthConfig | null {
  if (auth === null) return null;
  const literals =
    literalsSealed === null
      ? {}
      : (JSON.parse(box.open(literalsSealed, toolServerPlace(tenantId, serverId))) as TemplateLiterals);
  const read = oauthSchema.safeParse(restoreLiterals({ auth }, literals)['auth']);
  return read.success ? read.data : null;
}
