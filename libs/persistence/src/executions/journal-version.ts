import type { JournalEntry } from '#libs/agent-core';
import type { RefusalReason } from '#libs/tooling';

/** Latest journal version that this release reads and writes. */
export const JOURNAL_VERSION = 10;

/** Kinds added after version 1, with their version. */
const NEWER_KINDS: Partial<Record<JournalEntry['kind'], number>> = {
  outcome_asked: 2,
  outcome_reported: 2,
  tool_call_lost: 3,
  tool_call_not_begun: 3,
  deadline_reached: 3,
  model_call_lost: 4,
  execution_prepared: 4,
  scope_opened: 4,
  scope_settled: 4,
  // Without these kinds a reader would treat a pipeline as a new loop and ask its model.
  step_begun: 8,
  step_settled: 8,
  answer_rejected: 8,
};

/** Adds named reasons of refusals, the order of answer parts, and the cost of unanswered calls. */
const NEWER_FIELDS = 3;

/** Adds loops inside an execution. */
const SCOPES = 4;

/**
 * Adds marks of foreign content: without them a reader would present third-party text as a tool's own and allow unsafe
 * calls after it.
 */
const FOREIGN_CONTENT = 5;

/** Adds searched tools: without them a reader would describe all tools to the model and replay different calls. */
const SEARCHED_TOOLS = 6;

/** Adds retrieval: without it a reader would ask the model without the passages. */
const RETRIEVAL = 7;

/** Adds attached files: without them a reader would ask the model without the files. */
const ATTACHMENTS = 9;

/** Adds foreign content of earlier turns: without it a reader would allow unsafe calls after third-party content. */
const FOREIGN_HISTORY = 10;
/** Adds endings without an answer: older readers reject this reason. */
const EMPTY_ANSWERS = 10;

const REASONS_OF_SCOPES: readonly RefusalReason[] = [
  'agent_depth_limit',
  'agent_call_limit',
  'agent_unusable',
];

/**
 * Lowest version that can interpret the fact. An older release continues every journal without newer facts and releases
 * the others. Purely informative or refining fields need no new version: older readers ignore them.
 */
export function versionOf(entry: JournalEntry): number {
  if (entry.kind === 'execution_prepared' && entry.foreignHistory !== undefined) return FOREIGN_HISTORY;
  if (isEndWithoutAnswer(entry)) return EMPTY_ANSWERS;
  if (entry.kind === 'execution_prepared' && entry.attachments !== undefined) return ATTACHMENTS;
  if (entry.kind === 'execution_prepared' && entry.retrieval !== undefined) return RETRIEVAL;
  if (isOfSearch(entry)) return SEARCHED_TOOLS;
  if (isForeign(entry)) return FOREIGN_CONTENT;
  const ofKind = NEWER_KINDS[entry.kind] ?? 1;
  if (isOfScopes(entry)) return Math.max(SCOPES, ofKind);
  return hasNewerField(entry) ? NEWER_FIELDS : ofKind;
}

function isEndWithoutAnswer(entry: JournalEntry): boolean {
  if (entry.kind !== 'execution_settled' && entry.kind !== 'scope_settled') return false;
  return entry.outcome.status === 'incomplete' && entry.outcome.reason === 'empty_answer';
}

function isOfSearch(entry: JournalEntry): boolean {
  if (entry.kind === 'execution_prepared') return entry.listed !== undefined;
  return entry.kind === 'model_call_completed' && entry.answer.toolCalls.some(({ via }) => via !== undefined);
}

function isForeign(entry: JournalEntry): boolean {
  if (entry.kind !== 'tool_call_settled' || entry.outcome.status !== 'succeeded') return false;
  return entry.outcome.foreign !== undefined;
}

function isOfScopes(entry: JournalEntry): boolean {
  if (entry.scope !== undefined) return true;
  if (entry.kind !== 'tool_call_settled' || entry.outcome.status !== 'refused') return false;
  return entry.outcome.reason !== undefined && REASONS_OF_SCOPES.includes(entry.outcome.reason);
}

function hasNewerField(entry: JournalEntry): boolean {
  switch (entry.kind) {
    case 'tool_call_settled':
      return entry.outcome.status === 'refused' && entry.outcome.reason !== undefined;
    case 'model_call_completed':
      return entry.answer.parts !== undefined;
    case 'model_call_failed':
      return entry.spent !== undefined;
    default:
      return false;
  }
}
