import type { JournalEntry } from '#libs/agent-core';
import type { RefusalReason } from '#libs/tooling';

/** The newest vocabulary that this release reads and writes. */
export const JOURNAL_VERSION = 10;

/** Kinds that came after version 1, with the version that brought them. */
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
  // A reader without them would take a pipeline for a loop that has said nothing yet, and ask its model.
  step_begun: 8,
  step_settled: 8,
  answer_rejected: 8,
};

/**
 * The version that knows why a call was refused by a name, not by its text; in which order an answer was given; and what a
 * call without an answer has cost.
 */
const NEWER_FIELDS = 3;

/** The version that knows of loops inside an execution. */
const SCOPES = 4;

/**
 * The version that knows whose words the model reads: a reader without it would show those of somebody outside as if they
 * were a tool's, and let unsafe calls follow them.
 */
const FOREIGN_CONTENT = 5;

/**
 * The version that knows of tools that are searched for: a reader without it would give a model all of them at once, and
 * show it other calls than it made.
 */
const SEARCHED_TOOLS = 6;

/**
 * The version that knows of agents that answer from documents: a reader without it would ask the model without what was
 * found, and answer as if nothing had been.
 */
const RETRIEVAL = 7;

/** The version that knows of files: a reader without it would ask the model without them. */
const ATTACHMENTS = 9;

/**
 * The version that knows of foreign content of earlier turns: a reader without it would let unsafe calls follow content
 * that was written outside.
 */
const FOREIGN_HISTORY = 10;
/** The version that knows of ends without an answer: a reader without it knows no such reason. */
const EMPTY_ANSWERS = 10;

const REASONS_OF_SCOPES: readonly RefusalReason[] = [
  'agent_depth_limit',
  'agent_call_limit',
  'agent_unusable',
];

/**
 * The oldest version whose readers understand the fact: an older release goes on with every journal that says nothing new
 * to it, and releases the others. Fields that only inform people, or without which a reader is less exact, bring no version:
 * older readers leave them out.
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
