import {
  callName,
  parseCallName,
  ROOT,
  type DecisionFact,
  type DecisionGrounds,
  type JournalEntry,
} from '#libs/agent-core';
import { canonicalJson } from '#libs/kernel';
import type { PendingCall } from '#libs/payloads';
import type { CallDecision, DecisionRefusal } from '../ports/decision-store.js';

/** A waiting call as stored; calls parked by older releases lack `asks` and wait for approval. */
export type WaitingCall = Omit<PendingCall, 'asks'> & Partial<Pick<PendingCall, 'asks'>>;

export type DecisionVerdict =
  | Exclude<DecisionRefusal, { readonly kind: 'not_found' }>
  /** Facts to append (none if all decisions are repeats), and the calls that still wait for a person. */
  | {
      readonly kind: 'taken';
      readonly facts: readonly JournalEntry[];
      readonly left: readonly WaitingCall[];
    };

/** State of an execution that decisions are validated against. */
interface DecidableExecution {
  /** Null when the execution waits for no person. */
  readonly waiting: readonly WaitingCall[] | null;
  /** All earlier decisions, in order. */
  readonly taken: readonly DecisionFact[];
}

/** Author and time of decisions, for their facts. */
type DecisionOrigin = Omit<DecisionGrounds, 'reason'>;

type Reading = 'new' | 'repeated' | Exclude<DecisionRefusal['kind'], 'not_found'>;

/**
 * Validates decisions on waiting calls: all are accepted or none. An exact repeat of an earlier decision is accepted
 * without effect. Pure.
 */
export function evaluateDecisions(
  { waiting, taken }: DecidableExecution,
  decisions: readonly CallDecision[],
  origin: DecisionOrigin,
): DecisionVerdict {
  const read = decisions.map((decision) => ({ decision, reading: readingOf(decision, waiting, taken) }));
  const callsOf = (wanted: Reading) =>
    read.filter(({ reading }) => reading === wanted).map(({ decision }) => decision.call);
  if (callsOf('not_waiting').length > 0) return { kind: 'not_waiting' };
  const named = decisions.map(({ call }) => call);
  const doubled = named.filter((call, index) => named.indexOf(call) !== index);
  const unknown = named.filter((call) => doubled.includes(call) || callsOf('unknown_calls').includes(call));
  if (unknown.length > 0) return { kind: 'unknown_calls', calls: [...new Set(unknown)] };
  for (const kind of ['wrong_kind', 'decided_otherwise'] as const) {
    const calls = callsOf(kind);
    if (calls.length > 0) return { kind, calls };
  }
  const fresh = callsOf('new');
  return {
    kind: 'taken',
    facts: decisions.filter(({ call }) => fresh.includes(call)).map((decision) => toFact(decision, origin)),
    left: (waiting ?? []).filter(({ call }) => !fresh.includes(call)),
  };
}

/** Decisions at the deadline: open calls are not approved, and unreported outcomes stay unknown. */
export function timeoutDecisions(waiting: readonly WaitingCall[], reason: string): CallDecision[] {
  return waiting.map(({ call, asks }) =>
    asks === 'outcome' ? { call, report: { kind: 'unknown' }, reason } : { call, approved: false, reason },
  );
}

function readingOf(
  decision: CallDecision,
  waiting: readonly WaitingCall[] | null,
  taken: readonly DecisionFact[],
): Reading {
  const asking = waiting?.find(({ call }) => call === decision.call);
  if (asking && fits(decision, asking)) return 'new';
  const earlier = taken.filter((fact) => callName(fact.scope ?? ROOT, fact) === decision.call);
  const last = earlier.findLast((fact) => (fact.kind === 'outcome_reported') === 'report' in decision);
  if (last) return saysTheSame(decision, last) ? 'repeated' : 'decided_otherwise';
  if (asking || earlier.length > 0) return 'wrong_kind';
  return waiting === null ? 'not_waiting' : 'unknown_calls';
}

function fits(decision: CallDecision, { asks }: WaitingCall): boolean {
  return (asks === 'outcome') === 'report' in decision;
}

function saysTheSame(decision: CallDecision, fact: DecisionFact): boolean {
  if (decision.reason !== fact.reason) return false;
  if (fact.kind === 'approval_decided') return 'approved' in decision && decision.approved === fact.approved;
  return 'report' in decision && canonicalJson({ ...decision.report }) === canonicalJson({ ...fact.report });
}

function toFact(decision: CallDecision, origin: DecisionOrigin): JournalEntry {
  const { scope, ...at } = parseCallName(decision.call);
  const grounds = { reason: decision.reason, ...origin };
  const call = { ...at, ...(scope !== ROOT && { scope }) };
  if ('report' in decision) return { kind: 'outcome_reported', ...call, report: decision.report, ...grounds };
  return { kind: 'approval_decided', ...call, approved: decision.approved, ...grounds };
}
