import {
  PlainReporter,
  ROOT,
  roundMetadata,
  StrategyReporter,
  type EventSink,
  type RunReporter,
  type ScopePath,
} from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { ExecutionPlan } from './execution-plan.js';

/** Creates the reporter of a run: plain, or by its strategy. */
export function makeReporter(
  { strategy, context, rules, provider }: ExecutionPlan,
  events: EventSink,
  clock: Clock,
  scope: ScopePath = ROOT,
): RunReporter {
  const { executionId, attempt, model } = context;
  if (strategy === null) return new PlainReporter(events, attempt);
  return new StrategyReporter(events, clock, {
    ...strategy,
    // Includes the scope, because two scopes number their logs alike.
    executionId: scope === ROOT ? executionId : `${executionId}/${scope}`,
    attempt,
    model,
    provider,
    maximumIterations: rules.maximumIterations,
    usageOf: (round) => roundMetadata(round, rules),
  });
}
