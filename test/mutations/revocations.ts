import type { Mutant } from './mutant.js';

const spec = 'test/integration/tool-servers/revocations.spec.ts';

/** Revocation of users' tokens after their tool server was deleted (issue 13). */
export const REVOCATION_MUTANTS: readonly Mutant[] = [
  {
    row: 'revocations',
    file: 'libs/persistence/src/tools/tool-server.store.ts',
    find: 'await orderRevocations(manager, id);',
    replace: '',
    spec,
    why: 'the tokens of a server that is gone stay good',
  },
  {
    row: 'revocations',
    file: 'apps/worker/src/connections/revoke-tokens.task.ts',
    find: 'if (await revokeGrant(config, grant, oauthFetch(client, tenantId)))',
    replace:
      'if (void revokeGrant(config, grant, oauthFetch(client, tenantId)).catch(() => undefined) === undefined)',
    spec,
    why: 'tokens are forgotten before they are revoked: a worker that dies then leaves them good',
  },
  {
    row: 'revocations',
    file: 'apps/worker/src/connections/revoke-tokens.task.ts',
    find: 'if (mayPass(error)) throw error;',
    replace: '',
    spec,
    why: 'an authorization server that is away for a minute never hears of it',
  },
  {
    row: 'revocations',
    file: 'libs/tool-sources/src/oauth/revoke-grant.ts',
    find: 'areAllTaken &&= answer.ok;',
    replace: 'if (!answer.ok) return false;',
    spec,
    why: 'an authorization server that does not take refresh tokens is never asked for the other one',
  },
  {
    row: 'revocations',
    file: 'libs/persistence/src/tools/order-revocations.ts',
    find: "'literalsSealed', server.literals_sealed,",
    replace: "'literalsSealed', NULL,",
    spec,
    why: 'a client that signs is not known by then, and revokes nothing',
  },
  {
    row: 'revocations',
    file: 'apps/migrate/src/reseal-secrets.ts',
    find: "resealRevocations(dataSource, 'literalsSealed', ofServer)",
    replace: 'Promise.resolve(0)',
    spec,
    why: 'a key that is taken out of the ring leaves revocations that nobody can open',
  },
];
