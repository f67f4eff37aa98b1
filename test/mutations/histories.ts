import type { Mutant } from './mutant.js';

const WINDOW = 'libs/policy/src/history/choose-window.ts';
const WINDOW_SPEC = 'libs/policy/src/history/choose-window.spec.ts';
const LEAVING = 'libs/policy/src/history/choose-leaving.ts';
const LEAVING_SPEC = 'libs/policy/src/history/choose-leaving.spec.ts';
const PLAN = 'libs/executions/src/plan/plan-history.ts';
const PLAN_SPEC = 'libs/executions/src/plan/plan-history.spec.ts';
const ROOM_SPEC = 'libs/executions/src/plan/room-for-passages.spec.ts';
const RAG_SPEC = 'test/integration/worker/documents/rag-chat.spec.ts';
const STORED = 'libs/persistence/src/executions/stored-context.ts';
const SUMMARY_SQL = 'libs/persistence/src/sessions/summary-sql.ts';
const CONTRACT = 'test/contract/executions/executions.spec.ts';
const READS_SPEC = 'test/integration/persistence/history-reads.spec.ts';
const SUMMARIZE = 'libs/executions/src/summarize/summarize-session.ts';
const SUMMARIZE_SPEC = 'libs/executions/src/summarize/summarize-session.spec.ts';
const WORKER_SPEC = 'test/integration/worker/sessions/summaries.spec.ts';

/** Conversations that outgrow their budget (issue 14). */
export const HISTORY_MUTANTS: readonly Mutant[] = [
  {
    row: 'history',
    file: WINDOW,
    find: 'tokens > limit.tokens || count > limit.messages',
    replace: 'count > limit.messages',
    spec: WINDOW_SPEC,
    why: 'the window has more tokens than fit',
  },
  {
    row: 'history',
    file: WINDOW,
    find: 'turns.get(turnNumber) ?? { turnNumber, messages: 0, tokens: 0 }',
    replace: '{ turnNumber, messages: 0, tokens: 0 }',
    spec: WINDOW_SPEC,
    why: 'a turn is counted by its last message alone',
  },
  {
    row: 'history',
    file: LEAVING,
    find: 'if (messages[index + 1]?.turnNumber !== message.turnNumber) through',
    replace: 'through',
    spec: LEAVING_SPEC,
    why: 'a summary takes in a question without its answer',
  },
  {
    row: 'history',
    file: 'libs/executions/src/plan/execution-plan.ts',
    find: 'const rest = [...fixed, question.text];',
    replace: 'const rest = [...fixed, input];',
    spec: ROOM_SPEC,
    why: 'conversation and passages together are more than the model reads',
  },
  {
    row: 'history',
    file: 'libs/executions/src/plan/execution-plan.ts',
    find: '(usable.preparation ?? added).retrieval',
    replace: 'added.retrieval',
    spec: ROOM_SPEC,
    why: 'an attempt that goes on asks for a summary by another budget than the first one',
  },
  {
    row: 'history',
    file: 'libs/executions/src/plan/execution-plan.ts',
    find: 'const rest = [...fixed, question.text];',
    replace: 'const rest = usable.preparation === null ? [...fixed, input] : [...fixed, question.text];',
    spec: RAG_SPEC,
    why: 'the conversation is cut before anybody knows what was found',
  },
  {
    row: 'history',
    file: PLAN,
    find: 'known?.tokenizer === tokenizer.name ? known',
    replace: 'known !== null ? known',
    spec: PLAN_SPEC,
    why: 'the count of another tokenizer is taken for that of the model',
  },
  {
    row: 'history',
    file: PLAN,
    find: 'pinned === undefined\n',
    replace: 'pinned !== null\n',
    spec: PLAN_SPEC,
    why: 'a later attempt cuts its window anew',
  },
  {
    row: 'history',
    file: 'libs/agent-core/src/history/conversation-length.ts',
    find: 'sum + (each?.count ?? 0), held.tokens)',
    replace: 'sum + (each?.count ?? 0), 0)',
    spec: 'libs/agent-core/src/history/conversation-length.spec.ts',
    why: 'a conversation never outgrows its budget by what was said before',
  },
  {
    row: 'history',
    file: STORED,
    find: 'greatest(line.first_turn, line.oldest_turn)',
    replace: 'line.first_turn',
    spec: READS_SPEC,
    why: 'a session without a summary is read to its beginning',
  },
  {
    row: 'history',
    file: STORED,
    find: 'summary.through_turn + 1\n',
    replace: 'session.engine_first_turn\n',
    spec: [READS_SPEC, CONTRACT],
    why: 'what a summary stands for is shown word by word, too',
  },
  {
    row: 'history',
    file: STORED,
    find: "ELSE (prepared.data #>> '{history,fromTurn}')::int END",
    replace: 'ELSE summary.through_turn + 1 END',
    spec: CONTRACT,
    why: 'a summary that came meanwhile takes messages from an attempt whose instruction does not have it',
  },
  {
    row: 'history',
    file: STORED,
    find: ' AND summary.first_turn = session.engine_first_turn\n',
    replace: '\n',
    spec: WORKER_SPEC,
    why: 'the summary of what was before a reset is still shown',
  },
  {
    row: 'history',
    file: SUMMARY_SQL,
    find: 'WHERE ordered.claim_token = $2 FOR UPDATE OF ordered',
    replace: 'WHERE ordered.claim_token IS DISTINCT FROM $2 OR true FOR UPDATE OF ordered',
    spec: CONTRACT,
    why: 'a worker that was overtaken writes its summary over that of the next',
  },
  {
    row: 'history',
    file: SUMMARY_SQL,
    find: 'AND due_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at < now())\n    RETURNING *',
    replace: 'AND due_at <= now()\n    RETURNING *',
    spec: CONTRACT,
    why: 'two workers make one summary',
  },
  {
    row: 'history',
    file: SUMMARIZE,
    find: 'if (!(await summaries.announceCall(claimed, announced(claimed)))) return false;',
    replace: '',
    spec: [SUMMARIZE_SPEC, WORKER_SPEC],
    why: 'a call is on nobody’s bill when its worker dies',
  },
  {
    row: 'history',
    file: SUMMARIZE,
    find: 'content !== null && tokens <= mostTokens',
    replace: 'content !== null',
    spec: SUMMARIZE_SPEC,
    why: 'a summary is as long as what it stands for',
  },
  {
    row: 'history',
    file: SUMMARIZE,
    find: 'return incompleteReason === null ? readSummary(text) : null;',
    replace: 'return readSummary(text);',
    spec: SUMMARIZE_SPEC,
    why: 'a summary that was cut off takes the place of the messages',
  },
  {
    row: 'history',
    file: SUMMARIZE,
    find: 'tryNumber < MOST_SUMMARY_TRIES ?',
    replace: 'tryNumber < Infinity ?',
    spec: SUMMARIZE_SPEC,
    why: 'a model that cannot do it is asked for ever',
  },
  {
    row: 'history',
    file: 'libs/policy/src/prompt-layers/summary.layer.ts',
    find: 'withoutTags(summary.trim())',
    replace: 'summary.trim()',
    spec: 'libs/policy/src/prompt-layers/prompt-layers.spec.ts',
    why: 'a summary ends its layer and speaks as the organisation',
  },
  {
    row: 'history',
    file: 'libs/persistence/src/executions/settle-batch.ts',
    find: 'FROM fence WHERE summary IS NOT NULL ORDER BY session_id',
    replace: 'FROM fence WHERE false ORDER BY session_id',
    spec: [WORKER_SPEC, CONTRACT],
    why: 'nobody orders a summary',
  },
];
