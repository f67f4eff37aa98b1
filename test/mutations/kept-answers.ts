import type { Mutant } from './mutant.js';

const STORE = 'libs/persistence/src/resources/kept-answer.store.ts';
const STORE_SPEC = 'test/integration/persistence/kept-answers.spec.ts';
const KEEPER = 'apps/api/src/idempotency/answer-keeper.ts';
const HOOK = 'apps/api/src/idempotency/keep-answers.ts';
const API_SPEC = 'test/integration/api/idempotency/kept-answers.spec.ts';

const RETRY = 'apps/api/src/executions/submissions.service.ts';
const RETRY_SPEC = 'test/integration/api/executions/retries.spec.ts';

/** A POST with an idempotency key runs once, and only its caller gets the answer. */
export const KEPT_ANSWER_MUTANTS: readonly Mutant[] = [
  {
    row: 'idempotency',
    file: RETRY,
    find: 'if (past.isCompleted && !isMeant) throw alreadyCompleted();',
    replace: '',
    spec: RETRY_SPEC,
    why: 'a retry repeats completed work although its caller did not ask for that',
  },
  {
    row: 'idempotency',
    file: RETRY,
    find: 'return this.submit({ tenantId, agentId: past.agentId, request, idempotency });',
    replace: 'return this.submit({ tenantId, agentId: past.agentId, request, idempotency: null });',
    spec: RETRY_SPEC,
    why: 'a repeated retry runs the work once more',
  },
  {
    row: 'idempotency',
    file: STORE,
    find: 'WHERE tenant_id = $1 AND key = $2 AND claim = $3`',
    replace: 'WHERE tenant_id = $1 AND key = $2 AND $3::uuid IS NOT NULL`',
    spec: STORE_SPEC,
    why: 'a process that has lost its claim answers for the one that took it over',
  },
  {
    row: 'idempotency',
    file: STORE,
    find: 'AND claim = $3 AND status IS NULL',
    replace: 'AND $3::uuid IS NOT NULL AND status IS NULL',
    spec: STORE_SPEC,
    why: 'a process that has lost its claim frees the key while another one works under it',
  },
  {
    row: 'idempotency',
    file: STORE,
    find: 'OR (known.status IS NULL AND known.claimed_until < now())',
    replace: 'OR known.claimed_until < now()',
    spec: STORE_SPEC,
    why: 'an answer is kept for minutes in place of a day, and the request carried out twice',
  },
  {
    row: 'idempotency',
    file: HOOK,
    find: '...{ tenantId, keyId, key }',
    replace: "...{ tenantId: 'default', keyId, key }",
    spec: API_SPEC,
    why: 'a tenant is given the answer of another one',
  },
  {
    row: 'idempotency',
    file: KEEPER,
    find: 'showsSecret ? { body, keyId } : { body }',
    replace: '{ body }',
    spec: API_SPEC,
    why: 'a secret that is shown once is shown to a colleague who sends the same request',
  },
  {
    row: 'idempotency',
    file: KEEPER,
    find: 'return { ...answer, body: box.seal(answer.body, placeOf(request)) };',
    replace: 'return answer;',
    spec: API_SPEC,
    why: 'a secret that is shown once is kept in clear',
  },
  {
    row: 'idempotency',
    file: KEEPER,
    find: 'if (given.showsSecret && !this.box.isConfigured) throw cannotKeepSecret();',
    replace: '',
    spec: API_SPEC,
    why: 'without a key for sealing a secret is kept in clear',
  },
];
