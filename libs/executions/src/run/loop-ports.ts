import type { EventSink, Journal, LoopPorts } from '#libs/agent-core';
import { pause } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import type { AttemptTime } from './attempt-time.js';
import type { ExecutionPlan } from './execution-plan.js';
import { makeReporter } from './make-reporter.js';

/** The parts of an attempt that its loop works with. */
interface LoopOfAttempt extends Pick<LoopPorts, 'events' | 'model' | 'scopes' | 'waits'> {
  readonly claim: Claim;
  readonly journal: Journal;
  readonly events: EventSink;
  readonly time: AttemptTime;
}

/** The ports of the loop of one attempt. */
export function loopPorts(
  deps: AttemptDependencies,
  plan: ExecutionPlan,
  { claim, journal, events, time, ...others }: LoopOfAttempt,
): LoopPorts {
  const { timers, random } = deps;
  const { catalogue, nativeMedia } = plan;
  return {
    ...others,
    journal,
    events,
    tools: deps.invokerOf(claim, { catalogue, nativeMedia, events, lateOutcomes: journal }),
    reporter: makeReporter(plan, events, time.clock),
    clock: time.clock,
    wait: (ms, signal) => pause(timers, ms, signal),
    remainingMs: () => time.remainingMs(),
    timeoutMs: claim.timeoutMs,
    random,
  };
}
