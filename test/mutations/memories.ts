import type { Mutant } from './mutant.js';

const CONTRACT = 'test/contract/memories/memories.spec.ts';
const CONTEXTS = 'test/contract/executions/executions.spec.ts';
const KNOWN_SPEC = 'test/integration/worker/memories/memories.spec.ts';
const LEARNING_SPEC = 'test/integration/worker/memories/learning.spec.ts';
const API_SPEC = 'test/integration/api/memories/memories.spec.ts';
const STORE = 'libs/persistence/src/memory/memory.store.ts';
const EXTRACTIONS = 'libs/persistence/src/memory/memory-extraction.store.ts';
const EXTRACTION_SQL = 'libs/persistence/src/memory/memory-extraction-sql.ts';
const PROPOSAL = 'libs/executions/src/memories/memory-proposal.ts';
const PROPOSAL_SPEC = 'libs/executions/src/memories/memory-proposal.spec.ts';
const JUDGE = 'libs/executions/src/memories/judge-proposal.ts';
const JUDGE_SPEC = 'libs/executions/src/memories/judge-proposal.spec.ts';
const EXTRACT = 'libs/executions/src/memories/extract-memories.ts';
const EXTRACT_SPEC = 'libs/executions/src/memories/extract-memories.spec.ts';

/** Memories of executors (issue 14). */
export const MEMORY_MUTANTS: readonly Mutant[] = [
  {
    row: 'memory',
    file: 'libs/persistence/src/executions/stored-context.ts',
    find: ' AND memory.executor_id = ${executor}) END AS memories',
    replace: ' AND (memory.executor_id = ${executor} OR true)) END AS memories',
    spec: [CONTEXTS, KNOWN_SPEC],
    why: 'an agent knows of one executor what another one has said',
  },
  {
    row: 'memory',
    file: 'libs/persistence/src/executions/stored-context.ts',
    find: 'FROM memory WHERE memory.tenant_id = agent.tenant_id AND',
    replace: 'FROM memory WHERE',
    spec: KNOWN_SPEC,
    why: 'an agent knows what was said to another tenant',
  },
  {
    row: 'memory',
    file: 'libs/executions/src/plan/agent-scopes.ts',
    find: 'executorId: executorIdOf(accepted)',
    replace: 'executorId: null',
    spec: KNOWN_SPEC,
    why: 'an agent that is called knows nothing of its executor',
  },
  {
    row: 'memory',
    file: 'libs/policy/src/prompt-layers/memory.layer.ts',
    find: 'if (tokens > left) continue;',
    replace: '',
    spec: ['libs/policy/src/prompt-layers/prompt-layers.spec.ts', KNOWN_SPEC],
    why: 'memories take as much of a prompt as there are',
  },
  {
    row: 'memory',
    file: EXTRACTION_SQL,
    find: `\${of}.ending = 'completed' AND`,
    replace: '',
    spec: CONTRACT,
    why: 'something is learnt of an execution that failed',
  },
  {
    row: 'memory',
    file: EXTRACTION_SQL,
    find: `AND forgotten.forgotten_at >= execution.created_at`,
    replace: 'AND false',
    spec: CONTRACT,
    why: 'an execution that ends later brings back of whom everything was forgotten',
  },
  {
    row: 'memory',
    file: EXTRACTION_SQL,
    find: ' AND llm.tenant_id = claimed.tenant_id',
    replace: '',
    spec: LEARNING_SPEC,
    why: 'the model of another tenant is asked, at its cost',
  },
  {
    row: 'memory',
    file: EXTRACTION_SQL,
    find: `\${IS_UNHELD} AND \${isFirstSql('x')}\n    RETURNING`,
    replace: `\${IS_UNHELD}\n    RETURNING`,
    spec: CONTRACT,
    why: 'two executions of one executor are learnt of at once',
  },
  {
    row: 'memory',
    file: EXTRACTIONS,
    find: "if (!(await close(manager, claimed, 'learnt'))) return 'lost';",
    replace: "await close(manager, claimed, 'learnt');",
    spec: [CONTRACT, LEARNING_SPEC],
    why: 'a worker that was overtaken remembers what it has heard',
  },
  {
    row: 'memory',
    file: EXTRACTIONS,
    find: 'unwanted.has(hexOf(key))',
    replace: 'false',
    spec: CONTRACT,
    why: 'what a person has deleted comes back',
  },
  {
    row: 'memory',
    file: EXTRACTIONS,
    find: 'recorded_try = $4,',
    replace: 'recorded_try = least($4::int, 0),',
    spec: CONTRACT,
    why: 'a try that is accounted for counts as lost',
  },
  {
    row: 'memory',
    file: STORE,
    find: 'await rejectFact(manager, found);\n      await acceptFact(',
    replace: 'await acceptFact(',
    spec: CONTRACT,
    why: 'what a fact said before a person changed it is learnt again',
  },
  {
    row: 'memory',
    file: STORE,
    find: "isEdited: origin === 'extraction'",
    replace: 'isEdited: false',
    spec: CONTRACT,
    why: 'a job changes what a person has changed',
  },
  {
    row: 'memory',
    file: STORE,
    find: "{ endedAt: () => 'now()', outcome: 'skipped', claimToken: null, leaseExpiresAt: null }",
    replace: "{ leaseExpiresAt: () => 'lease_expires_at' }",
    spec: [CONTRACT, LEARNING_SPEC],
    why: 'what is under way brings back of whom everything was forgotten',
  },
  {
    row: 'memory',
    file: STORE,
    find: `if ((await memories.countBy({ tenantId, executorId })) >= MAX_MEMORIES) return { kind: 'too_many' };`,
    replace: '',
    spec: [CONTRACT, API_SPEC],
    why: 'an executor has any number of memories',
  },
  {
    row: 'memory',
    file: PROPOSAL,
    find: 'heard.includes(words)',
    replace: 'true',
    spec: PROPOSAL_SPEC,
    why: 'a model remembers what the user has never said',
  },
  {
    row: 'memory',
    file: PROPOSAL,
    find: 'isFact && !isSecret',
    replace: 'isFact',
    spec: PROPOSAL_SPEC,
    why: 'a password is remembered',
  },
  {
    row: 'memory',
    file: PROPOSAL,
    find: 'facts.filter(({ isPinned }) => !isPinned).map((fact) => fact.id)',
    replace: 'facts.map((fact) => fact.id)',
    spec: PROPOSAL_SPEC,
    why: 'a model proposes to change what a person wrote',
  },
  {
    row: 'memory',
    file: JUDGE,
    find: 'new Map(facts.filter(({ isPinned }) => !isPinned).map(',
    replace: 'new Map(facts.map(',
    spec: [JUDGE_SPEC, CONTRACT],
    why: 'a job changes what a person wrote while a model was asked',
  },
  {
    row: 'memory',
    file: JUDGE,
    find: 'if (oldest === undefined) continue;',
    replace: 'if (oldest === undefined) break; else replaceable.unshift(oldest);',
    spec: JUDGE_SPEC,
    why: 'one old fact makes room for any number of new ones',
  },
  {
    row: 'memory',
    file: 'libs/executions/src/memories/extraction-prompt.ts',
    find: 'redactText(input.slice(0, INPUT_CHARACTERS).toWellFormed())',
    replace: 'input.slice(0, INPUT_CHARACTERS).toWellFormed()',
    spec: EXTRACT_SPEC,
    why: 'another model reads a secret of the user',
  },
  {
    row: 'memory',
    file: EXTRACT,
    find: 'if (tryNumber > MAX_TRIES)',
    replace: 'if (tryNumber < 0)',
    spec: EXTRACT_SPEC,
    why: 'an execution that kills workers is learnt of for ever',
  },
  {
    row: 'memory',
    file: EXTRACT,
    find: 'recordedTry + 1 + index',
    replace: '1 + index',
    spec: EXTRACT_SPEC,
    why: 'a lost try is accounted for in place of another one',
  },
  {
    row: 'memory',
    file: 'apps/api/src/agents/option-faults.ts',
    find: "if (field !== 'config')",
    replace: "if (field === 'extra')",
    spec: API_SPEC,
    why: 'a request has an agent remember that is not to',
  },
  {
    row: 'memory',
    file: JUDGE,
    find: 'return turn.isForeign || facts.some(({ isForeign }) => isForeign);',
    replace: 'return turn.isForeign;',
    spec: CONTRACT,
    why: 'a model that learns carries foreign content from one fact into another',
  },
  {
    row: 'memory',
    file: EXTRACTION_SQL,
    find: '${of}.agent_id, ${of}.has_foreign',
    replace: '${of}.agent_id, false',
    spec: CONTRACT,
    why: 'foreign content goes from one session to the next by what is remembered',
  },
  {
    row: 'memory',
    file: 'libs/executions/src/plan/preparation.ts',
    find: 'hasForeignHistory || memories.some((memory) => memory.isForeign)',
    replace: 'hasForeignHistory',
    spec: KNOWN_SPEC,
    why: 'an unsafe call follows a foreign fact unasked',
  },
];
