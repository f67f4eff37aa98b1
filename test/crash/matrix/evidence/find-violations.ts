import type { CaseEvidence, ExecutionEvidence, ModelRequestSeen } from './case-evidence.js';
import {
  ofEventOrder,
  ofEvents,
  ofJournal,
  ofModelRequest,
  ofWebhooks,
  unless,
} from './execution-violations.js';
import type { ExpectedEnding } from './expected-ending.js';
import { lossesInARow } from './losses-in-a-row.js';
import { ofTool } from './tool-violations.js';

/** The expected ending of the execution that waits behind the one that is hit. */
const UNTOUCHED: ExpectedEnding = {
  status: 'completed',
  errorCode: null,
  stepStatus: 'succeeded',
  attempts: 1,
  lostAttempts: 0,
  calls: [0, 0],
  effects: [0, 0],
  losesEvents: false,
};

/** The violations of one case, a sentence each. Pure. */
export function findViolations(evidence: CaseEvidence, expected: ExpectedEnding): string[] {
  return [
    ...unless(evidence.accepted === 1, `one submission became ${evidence.accepted} executions`),
    ...ofExecution(evidence.first, expected).map((text) => `first: ${text}`),
    ...ofSecond(evidence).map((text) => `second: ${text}`),
    ...ofConversation(evidence, expected),
    ...evidence.modelRequests.flatMap(ofModelRequest),
    ...[evidence.first, evidence.second].flatMap((one) => ofWebhooks(one, evidence.webhookSecret)),
  ];
}

function ofSecond({ second, first, modelRequests }: CaseEvidence): string[] {
  // The second execution may run on the process that is hit, and is claimed again as well.
  const expected = { ...UNTOUCHED, attempts: second.view.attempt, lostAttempts: second.view.attempt - 1 };
  const answer = first.view.result?.message.content;
  const later = modelRequests.filter(({ input }) => input.filter((item) => item.role === 'user').length > 1);
  const knowsFirst = later.length > 0 && later.every((request) => hasSaid(request, answer ?? ''));
  return [
    ...ofExecution(second, expected),
    ...unless(
      (second.view.started_at ?? '') >= (first.view.finished_at ?? ''),
      'it began before the first had ended',
    ),
    ...unless(answer === undefined || knowsFirst, 'the model was not shown what was said before'),
  ];
}

function hasSaid({ input }: ModelRequestSeen, answer: string): boolean {
  return input.some((item) => item.role === 'assistant' && JSON.stringify(item).includes(answer));
}

function ofExecution(one: ExecutionEvidence, expected: ExpectedEnding): string[] {
  const ofEventsRead = expected.losesEvents ? ofEventOrder(one) : ofEvents(one);
  return [...ofEnding(one, expected), ...ofJournal(one), ...ofTool(one, expected), ...ofEventsRead];
}

function ofEnding(one: ExecutionEvidence, expected: ExpectedEnding): string[] {
  const { view, lostAttempts, epoch } = one;
  const errorCode = view.error?.code ?? null;
  return [
    ...unless(
      view.status === expected.status,
      `it ended ${view.status}, not ${expected.status}, after ${view.attempt} attempts, ${lostAttempts} of them lost`,
    ),
    ...unless(errorCode === expected.errorCode, `its error is ${errorCode}, not ${expected.errorCode}`),
    // A busy machine may cost another lease.
    ...unless(
      view.attempt >= expected.attempts,
      `it took ${view.attempt} attempts, not ${expected.attempts}`,
    ),
    ...ofLosses(one, expected),
    // The claim of an accept that its worker never took is no attempt.
    ...unless(
      epoch === view.attempt || epoch === view.attempt + 1,
      `its epoch is ${epoch} after ${view.attempt} attempts`,
    ),
  ];
}

/**
 * Counts the attempts that released their claim, and takes all others as lost. A busy machine may cost one attempt more than
 * expected: its worker fenced itself, and released its claim or did not.
 */
function ofLosses(
  { view, lostAttempts, epoch, ...evidence }: ExecutionEvidence,
  expected: ExpectedEnding,
): string[] {
  const journal = evidence.journal.map((row) => ({ ...row, epoch: row.epoch - (epoch - view.attempt) }));
  const withWord = expected.attempts - 1 - expected.lostAttempts;
  const beyond = Math.max(0, view.attempt - expected.attempts);
  const earlier = Array.from({ length: view.attempt - 1 }, (_, index) => index + 1);
  const candidates = subsetsOf(earlier).filter(
    ({ length }) => length >= withWord && length <= withWord + beyond,
  );
  const possible = candidates.map((notLost) => lossesInARow(journal, view.attempt, notLost));
  const facts = journal.map((row) => `${row.epoch} ${row.kind}`).join(', ');
  return unless(
    possible.includes(lostAttempts),
    `${lostAttempts} of ${view.attempt} attempts count as lost in a row, not ${possible.join(' or ')}: ${facts}`,
  );
}

/** A failed turn adds no message; the system prompt stands before the first stored turn. */
function ofConversation({ messages, first }: CaseEvidence, expected: ExpectedEnding): string[] {
  const turns = expected.status === 'completed' ? [1, 2] : [2];
  const wanted = turns.flatMap((turn) => [`${turn} user`, `${turn} assistant`]);
  const found = messages.map((message) => `${message.turn_number} ${message.role}`);
  const content = first.view.result?.message.content;
  return [
    ...unless(
      found.join() === [`${turns[0]} system`, ...wanted].join(),
      `the conversation is ${found.join(', ')}`,
    ),
    ...unless(
      content === undefined || messages.some((message) => message.content === content),
      'the answer is not in the conversation',
    ),
  ];
}

function subsetsOf(all: readonly number[]): number[][] {
  return all.reduce<number[][]>((sets, one) => [...sets, ...sets.map((set) => [...set, one])], [[]]);
}
