import type { Arrival } from '../programs/failpoints.js';
import type { CrashLane } from '../services/crash-lane.js';
import { beginAgentsAtOnce, keyOf, SCOPES, UNSAFE_CALL, type AgentsAtOnce } from './agents-at-once.js';
import { collectExecution, readModelRequests, readUsage } from './evidence/collect-evidence.js';
import {
  beginEveryKindOfStep,
  findStepViolations,
  UNSAFE_CALLS_OF_STEPS,
  type StepEvidence,
} from './every-kind-of-step.js';
import { findScopeViolations, type ScopeEvidence } from './evidence/find-scope-violations.js';
import { breakAtEveryVisit, type Broken } from './one-per-visit.js';
import {
  beginOrder,
  findOrderViolations,
  readOrders,
  UNSAFE_CALL_OF_REVIEWER,
  type OrderEvidence,
} from './orders-by-workflow.js';
import type { ScopeBatch } from './scope-batch.js';
import type { HeldExecution } from './until-reported.js';

/** Kills or freezes one process with an execution held at each visit of the failpoint; returns the violations. */
export async function runScopeBatch(lane: CrashLane, batch: ScopeBatch): Promise<string[]> {
  const judging = async <One extends HeldExecution>(begin: () => Promise<One>, evaluate: Evaluate<One>) =>
    evaluateAll(batch, await breakAtEveryVisit(lane, batch, begin), evaluate);
  switch (batch.of) {
    case 'agents':
      return judging(() => beginAgentsAtOnce(lane), evaluateAgents(lane));
    case 'steps':
      return judging(() => beginEveryKindOfStep(lane), evaluateSteps(lane));
    case 'orders':
      return judging(() => beginOrder(lane), evaluateOrders(lane));
  }
}

interface Evaluated {
  readonly violations: readonly string[];
  readonly lostAttempts: number;
}

type Evaluate<One> = (one: One, held: Arrival | undefined) => Promise<Evaluated>;

async function evaluateAll<One extends HeldExecution>(
  { point, visits }: ScopeBatch,
  { begun, held }: Broken<One>,
  evaluate: Evaluate<One>,
): Promise<string[]> {
  const found = await Promise.all(
    begun.map(async (one, index) => {
      const arrival = held.get(one.id);
      const { violations, lostAttempts } = await evaluate(one, arrival);
      // On a busy machine another attempt may be lost, which visits the failpoint once more.
      const isBeyond = arrival !== undefined && index + 1 === visits && lostAttempts <= 1;
      const beyond = `it comes to ${point} ${visits} times, so that there may be more visits than were tried`;
      return [...violations, ...(isBeyond ? [beyond] : [])].map(
        (violation) => `visit ${index + 1}${arrival ? '' : ' (not held)'}: ${violation}`,
      );
    }),
  );
  return found.flat();
}

function evaluateAgents(lane: CrashLane): Evaluate<AgentsAtOnce> {
  return async ({ id, key }, held) => {
    const asked = await Promise.all(
      SCOPES.map(async (scope) => [scope, await readModelRequests(lane, keyOf(key, scope))] as const),
    );
    const evidence: ScopeEvidence = {
      ...(await collectExecution(lane, id)),
      usage: await readUsage(lane, id),
      asked: new Map(asked),
      webhookSecret: lane.webhookSecret,
    };
    const violations = findScopeViolations(evidence, isUnknown(held, [UNSAFE_CALL]));
    return { violations, lostAttempts: evidence.lostAttempts };
  };
}

function evaluateSteps(lane: CrashLane): Evaluate<HeldExecution> {
  return async ({ id }, held) => {
    const evidence: StepEvidence = {
      ...(await collectExecution(lane, id)),
      calls: lane.effects.callsOf(id),
      webhookSecret: lane.webhookSecret,
    };
    const violations = findStepViolations(evidence, isUnknown(held, UNSAFE_CALLS_OF_STEPS));
    return { violations, lostAttempts: evidence.lostAttempts };
  };
}

function evaluateOrders(lane: CrashLane): Evaluate<HeldExecution> {
  return async ({ id }, held) => {
    const evidence: OrderEvidence = {
      ...(await collectExecution(lane, id)),
      calls: lane.effects.callsOf(id),
      orders: await readOrders(lane, id),
      webhookSecret: lane.webhookSecret,
    };
    const violations = findOrderViolations(evidence, isUnknown(held, [UNSAFE_CALL_OF_REVIEWER]));
    return { violations, lostAttempts: evidence.lostAttempts };
  };
}

/** True if an execution that breaks off here leaves the outcome of an unsafe call unknown. Pure. */
export function isUnknown(held: Arrival | undefined, unsafeCalls: readonly string[]): boolean {
  if (held === undefined) return false;
  const { point, about } = held;
  const isAbout = (prefix: string): boolean => unsafeCalls.some((call) => about.includes(`${prefix}${call}`));
  switch (point) {
    case 'tool.after_intent_before_call':
    case 'tool.during_call':
    case 'tool.after_effect_before_commit':
      return isAbout('');
    // The outcome of one call may share its commit with the intent of the next.
    case 'tool.after_commit':
    case 'journal.after_commit':
      return isAbout('tool_call_started ');
    case 'journal.before_commit':
      return isAbout('tool_call_settled ');
    default:
      return false;
  }
}
