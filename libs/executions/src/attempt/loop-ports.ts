import type { LoopPorts, ScopePlan } from '#libs/agent-core';
import { pause } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import type { AttemptTime } from './attempt-time.js';

/** Ports of the loop that the attempt itself provides. */
interface LoopOfAttempt extends Pick<LoopPorts, 'journal' | 'scopes' | 'waits'> {
  readonly claim: Claim;
  readonly time: AttemptTime;
}

export function loopPorts(
  { timers, random }: Pick<AttemptDependencies, 'timers' | 'random'>,
  { model, fallbacks, tools, events, reporter }: ScopePlan,
  { claim, time, ...others }: LoopOfAttempt,
): LoopPorts {
  return {
    ...{ ...others, model, tools, events, reporter },
    ...(fallbacks !== undefined && { fallbacks }),
    clock: time.clock,
    wait: (ms, signal) => pause(timers, ms, signal),
    remainingMs: () => time.remainingMs(),
    timeoutMs: claim.timeoutMs,
    random,
  };
}
