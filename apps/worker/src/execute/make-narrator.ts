import {
  PlainNarrator,
  roundMetadata,
  StrategyNarrator,
  type EventSink,
  type Narrator,
} from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { ExecutionPlan } from './execution-plan.js';

/** Who tells the run: plainly, or as its strategy says. */
export function makeNarrator(
  { strategy, context, rules }: ExecutionPlan,
  events: EventSink,
  clock: Clock,
): Narrator {
  const { executionId, attempt, model } = context;
  if (strategy === null) return new PlainNarrator(events, attempt);
  return new StrategyNarrator(events, clock, {
    ...strategy,
    executionId,
    attempt,
    model,
    provider: 'openai',
    maximumIterations: rules.maximumIterations,
    usageOf: (round) => roundMetadata(round, rules),
  });
}
