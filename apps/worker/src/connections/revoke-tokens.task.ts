import type { GuardedClient } from '#libs/guarded-fetch';
import { REVOKE_TOKENS } from '#libs/persistence';
import { connectionPlace, toolServerPlace, type SecretBox } from '#libs/secrets';
import { oauthFetch, revokeGrant, type ConnectionGrant } from '#libs/tool-sources';
import {
  defineTask,
  oauthSchema,
  restoreLiterals,
  ToolServerFailure,
  type BackgroundTask,
  type OAuthConfig,
  type TaskOutcome,
  type TaskTry,
  type TemplateLiterals,
} from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { isWhole } from './connect-server.js';

const dataSchema = z.object({
  serverId: z.uuid(),
  /** `auth` of the server's configuration without secrets; null if it had none. */
  auth: z.json().nullable(),
  /** Secrets of that configuration; a client that authenticates itself must also do so for a revocation. */
  literalsSealed: z.string().nullable(),
  grantSealed: z.string(),
});
type Revocation = z.infer<typeof dataSchema>;

/** Delays from half a minute to six hours; about half a day in total. */
export const REVOCATION_PACE = { firstDelayMs: 30_000, longestDelayMs: 6 * 3_600_000 };

/** Revokes the tokens of a user's consent after its tool server was deleted (RFC 7009). */
export function revokeTokensTask(box: SecretBox, client: GuardedClient): BackgroundTask<EntityManager> {
  return defineTask<EntityManager, Revocation, null, null>({
    kind: REVOKE_TOKENS,
    data: dataSchema,
    timeoutMs: 30_000,
    pace: REVOCATION_PACE,
    async perform(data, { id, tenantId }) {
      const grant = openGrant(data, { id, tenantId }, box);
      if (!isWhole(grant)) return { kind: 'done', result: null };
      const config = openConfig(data, tenantId, box);
      try {
        if (await revokeGrant(config, grant, oauthFetch(client, tenantId)))
          return { kind: 'done', result: null };
      } catch (error) {
        if (mayPass(error)) throw error;
        return givenUp(error);
      }
      return givenUp(
        new ToolServerFailure('refused', 'the authorization server does not revoke all tokens for us'),
      );
    },
    record: () => Promise.resolve(),
  });
}

function givenUp(trouble: unknown): TaskOutcome<null, null> {
  return { kind: 'failed', fault: null, trouble };
}

function mayPass(error: unknown): boolean {
  return !(error instanceof ToolServerFailure) || error.fault === 'unreachable';
}

/** Contains no tokens if the connection never got beyond the consent. */
function openGrant(
  { grantSealed }: Revocation,
  { id, tenantId }: Pick<TaskTry, 'id' | 'tenantId'>,
  box: SecretBox,
): Partial<ConnectionGrant> {
  return JSON.parse(box.open(grantSealed, connectionPlace(tenantId, id))) as Partial<ConnectionGrant>;
}

function openConfig(
  { serverId, auth, literalsSealed }: Revocation,
  tenantId: string,
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
