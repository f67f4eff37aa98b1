import type { Mutant } from './mutant.js';

const spec = 'test/integration/tool-servers/revocations.spec.ts';

/** Tokens of users whose tool server was deleted (issue 13). */
export const REVOCATION_MUTANTS: readonly Mutant[] = [
  {
    row: 'revocations',
    file: 'libs/persistence/src/stores/tool-server.store.ts',
    find: 'await orderRevocations(manager, id);',
    replace: '',
    spec,
    why: 'the tokens of a server that is gone stay good',
  },
  {
    row: 'revocations',
    file: 'apps/worker/src/connections/revoke-tokens.ts',
    find: 'await this.revoke(claimed);',
    replace: 'void this.revoke(claimed).catch(() => undefined);',
    spec,
    why: 'tokens are forgotten before they are revoked: a worker that dies then leaves them good',
  },
  {
    row: 'revocations',
    file: 'apps/worker/src/connections/revoke-tokens.ts',
    find: 'claimed.tryNumber === MOST_TRIES || !mayPass(error)',
    replace: 'claimed.tryNumber > 0 || !mayPass(error)',
    spec,
    why: 'an authorization server that is away for a minute never hears of it',
  },
  {
    row: 'revocations',
    file: 'apps/worker/src/connections/revoke-tokens.ts',
    find: 'if (claimed.tryNumber > MOST_TRIES) {',
    replace: 'if (claimed.tryNumber > 1_000) {',
    spec,
    why: 'tokens whose workers die over them are tried for ever',
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
    file: 'libs/persistence/src/stores/token-revocation.store.ts',
    find: 'AND due_at <= now() AND ${IS_UNHELD}',
    replace: 'AND due_at <= now()',
    spec,
    why: 'two workers are at one try',
  },
  {
    row: 'revocations',
    file: 'libs/persistence/src/stores/token-revocation.store.ts',
    find: 'DELETE FROM token_revocation WHERE connection_id = $1 AND claim_token = $2',
    replace: 'DELETE FROM token_revocation WHERE connection_id = $1 AND $2::uuid IS NOT NULL',
    spec,
    why: 'a worker that was overtaken forgets what another one is about to revoke',
  },
  {
    row: 'revocations',
    file: 'libs/persistence/src/stores/token-revocation.store.ts',
    find: "server.config -> 'auth', server.literals_sealed,",
    replace: "server.config -> 'auth', NULL,",
    spec,
    why: 'a client that signs is not known by then, and revokes nothing',
  },
  {
    row: 'revocations',
    file: 'libs/persistence/src/stores/token-revocation.store.ts',
    find: "{ ...PLACE, column: 'literals_sealed' }",
    replace: "{ ...PLACE, column: 'grant_sealed' }",
    spec,
    why: 'a key that is taken out of the ring leaves revocations that nobody can open',
  },
];
