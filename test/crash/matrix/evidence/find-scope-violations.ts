import { ANSWER, REPEATABLE_CALLS, SCOPES, UNSAFE_CALL } from '../agents-at-once.js';
import type { ExecutionEvidence, ModelRequestSeen, UsageSeen } from './case-evidence.js';
import { ofEvents, ofJournal, ofModelRequest, ofWebhooks, unless } from './execution-violations.js';

export interface ScopeEvidence extends ExecutionEvidence {
  readonly usage: readonly UsageSeen[];
  /** The requests that the model's server received, by scope. */
  readonly asked: ReadonlyMap<string, readonly ModelRequestSeen[]>;
  readonly webhookSecret: string;
}

/**
 * The violations of an execution that called three agents at once, a sentence each. Pure.
 *
 * @param isUnknown whether the failpoint leaves the outcome of its unsafe call unknown
 */
export function findScopeViolations(evidence: ScopeEvidence, isUnknown: boolean): string[] {
  return [
    ...ofEnding(evidence, isUnknown),
    ...ofJournal(evidence),
    ...ofEvents(evidence),
    ...ofAgentEvents(evidence),
    ...ofCalls(evidence, isUnknown),
    ...ofUsage(evidence),
    ...[...evidence.asked.values()].flat().flatMap(ofModelRequest),
    ...ofWebhooks(evidence, evidence.webhookSecret),
  ];
}

function ofEnding({ view }: ScopeEvidence, isUnknown: boolean): string[] {
  const wanted = isUnknown ? 'failed TOOL_OUTCOME_UNKNOWN' : `completed ${ANSWER}`;
  const found = `${view.status} ${view.error?.code ?? view.result?.message.content}`;
  return unless(found === wanted, `it ended "${found}", not "${wanted}"`);
}

function ofCalls({ calls, steps, view }: ScopeEvidence, isUnknown: boolean): string[] {
  const callsOf = (name: string) => calls.filter(({ callKey }) => callKey === `${view.id}.${name}`);
  const unsafe = callsOf(UNSAFE_CALL).length;
  const step = steps.find(({ scope, round, position }) => `${scope}:${round}.${position}` === UNSAFE_CALL);
  const wanted = isUnknown ? 'outcome_unknown' : 'succeeded';
  return [
    ...unless(unsafe <= 1, `the unsafe call was made ${unsafe} times`),
    ...unless(isUnknown || unsafe === 1, 'the unsafe call was never made'),
    ...unless(step?.status === wanted, `the audit says of the unsafe call: ${step?.status}, not ${wanted}`),
    ...REPEATABLE_CALLS.flatMap((name) => unless(callsOf(name).length > 0, `${name} was never called`)),
    ...unless(
      calls.every(({ callKey }) =>
        [UNSAFE_CALL, ...REPEATABLE_CALLS].includes(callKey.slice(view.id.length + 1)),
      ),
      'a call was made that was not asked for',
    ),
    ...steps.flatMap(({ scope, tool_name, status }) =>
      unless(status !== 'started', `the audit leaves ${tool_name} of "${scope}" open`),
    ),
    ...unless(steps.length === 6, `${steps.length} audit rows, not 6`),
  ];
}

/** Each loop is billed for the tokens that the provider counted for it, or has an unknown call. */
function ofUsage({ usage, asked, view }: ScopeEvidence): string[] {
  const strange = usage.filter(({ scope }) => !(SCOPES as readonly string[]).includes(scope));
  return [
    ...strange.map(({ scope }) => `usage of a scope "${scope}" that there is not`),
    ...SCOPES.flatMap((scope) =>
      ofScopeUsage(
        usage.filter((row) => row.scope === scope),
        asked.get(scope) ?? [],
        view.attempt,
      ).map((text) => `usage of "${scope}": ${text}`),
    ),
  ];
}

/**
 * The violations of the bill of one loop: each known call costs what the model counted, and each count is billed or
 * unknown.
 */
export function ofScopeUsage(
  rows: readonly UsageSeen[],
  asked: readonly ModelRequestSeen[],
  attempts: number,
): string[] {
  const counted = new Map(asked.map(({ response_id, usage }) => [response_id, usage?.total_tokens]));
  const known = rows.filter(({ state }) => state === 'known');
  const unknown = rows.length - known.length;
  const billed = new Set(known.map(({ response_id }) => response_id));
  const unbilled = asked.filter(({ usage, response_id }) => usage !== null && !billed.has(response_id));
  return [
    ...unless(known.length > 0, 'no call is known'),
    ...known.flatMap(({ response_id, total_tokens }) =>
      unless(
        counted.get(response_id) === total_tokens,
        `${total_tokens} tokens of ${response_id}, of which the model counts ${counted.get(response_id)}`,
      ),
    ),
    ...unless(billed.size === known.length, 'an answer is on the bill twice'),
    ...unless(
      unbilled.length <= unknown,
      `${unbilled.length} answers are not on the bill, which has ${unknown} unknown ones`,
    ),
    ...unless(unknown < attempts, `${unknown} calls are unknown after ${attempts} attempts`),
  ];
}

/** Since the last restart, each agent has one start event and then one stop event. */
function ofAgentEvents({ events }: ScopeEvidence): string[] {
  return SCOPES.slice(1).flatMap((scope) => {
    const emitted = events.flatMap(({ event, data }) => {
      const { action, scope: of } = data as { action?: string; scope?: string };
      return of === scope && (event === 'subagent' || event === 'attempt_restarted') ? [action ?? event] : [];
    });
    const winner = emitted.slice(emitted.lastIndexOf('attempt_restarted') + 1).join(' ');
    return unless(winner === 'start stop', `followers of agent ${scope} read: ${emitted.join(' ')}`);
  });
}
