import type { ToolEffect } from '#libs/tooling';
import type { Failpoint } from '../../programs/failpoints.js';
import { IS_FOLLOWED } from '../conversation.js';
import type { CrashCase } from '../crash-case.js';

export interface ExpectedEnding {
  readonly status: 'completed' | 'failed';
  readonly errorCode: string | null;
  readonly stepStatus: 'succeeded' | 'outcome_unknown';
  readonly attempts: number;
  /** Attempts that ended without an outcome, because their worker died or was overtaken. */
  readonly lostAttempts: number;
  /** The range of requests that the tool's server gets. */
  readonly calls: readonly [number, number];
  /** The range of effects that take place there. */
  readonly effects: readonly [number, number];
  /** True if the events of the attempt that ended it may be lost, as they were to be written with its end. */
  readonly losesEvents: boolean;
}

/** Points between the intent and the outcome of a tool call, where the journal does not show whether it took effect. */
const INSIDE_THE_CALL: readonly Failpoint[] = [
  'tool.after_intent_before_call',
  'tool.during_call',
  'server.half_way',
  'tool.after_effect_before_commit',
];

/** Points after the claim and before the ending: the attempt is lost, and another one goes on. */
const INSIDE_THE_ATTEMPT: readonly Failpoint[] = [
  ...INSIDE_THE_CALL,
  'claim.after',
  'server.connecting',
  'server.listing',
  'model.before_call',
  'model.mid_stream',
  'model.after_response_before_commit',
  'tool.after_commit',
  'settle.before_commit',
];

/** Points at which an execution has ended and its events may not be written yet; its delivery does not wait for them. */
const BETWEEN_END_AND_EVENTS: readonly Failpoint[] = [
  'settle.commit_sent_no_ack',
  'settle.after_commit_before_events',
  'webhook.before_post',
  'webhook.after_post_before_record',
];

/** The ending of an execution when its worker dies, or is frozen and overtaken, at the failpoint. Pure. */
export function expectedEnding({ point, action, effect }: CrashCase): ExpectedEnding {
  const isInsideCall = INSIDE_THE_CALL.includes(point);
  const calls = expectedCalls(point, action === 'stop', effect);
  const isUnknown = isInsideCall && effect === 'unsafe';
  return {
    status: isUnknown ? 'failed' : 'completed',
    errorCode: isUnknown ? 'TOOL_OUTCOME_UNKNOWN' : null,
    stepStatus: isUnknown ? 'outcome_unknown' : 'succeeded',
    attempts: INSIDE_THE_ATTEMPT.includes(point) || point === 'drain.after_give_back' ? 2 : 1,
    lostAttempts: INSIDE_THE_ATTEMPT.includes(point) ? 1 : 0,
    calls,
    effects: effect === 'idempotent' ? [1, 1] : calls,
    losesEvents: action === 'kill' && BETWEEN_END_AND_EVENTS.includes(point) && !IS_FOLLOWED[effect],
  };
}

function expectedCalls(point: Failpoint, isFrozen: boolean, effect: ToolEffect): readonly [number, number] {
  const again = effect === 'unsafe' ? 0 : 1;
  // A worker that is thawed between intent and call may send the call before it notices that it was overtaken.
  if (point === 'tool.after_intent_before_call') return [again, isFrozen ? again + 1 : again];
  if (INSIDE_THE_CALL.includes(point)) return [1 + again, 1 + again];
  return [1, 1];
}
