import {
  BacklogGauge,
  type ClaimOptions,
  type DispatchOptions,
  type ExecutionMeter,
  type Measurement,
  type PassedChecks,
  type SubmitCommand,
  type SubmitDependencies,
} from '#libs/executions';
import type { ContendedExecution } from './executions/contended-execution.js';
import { InMemoryCancellations } from './executions/in-memory-cancellations.js';
import { InMemoryClaims } from './executions/in-memory-claims.js';
import { InMemoryDecisions } from './executions/in-memory-decisions.js';
import { InMemoryDispatches } from './executions/in-memory-dispatches.js';
import { InMemoryExecutions } from './executions/in-memory-executions.js';
import { InMemoryAcceptances } from './executions/in-memory-acceptances.js';
import { InMemoryReader } from './executions/in-memory-reader.js';

const ANYBODY: ClaimOptions = {
  ...{ workerId: 'w', leaseMs: 60_000, deadlineMs: 60_000, canIsolate: true, tenantShare: 1 },
  ...{ suspectAfterLosses: 2, maxIsolatedDeaths: 2 },
  engineRuns: { takes: 'any', providers: [] },
};
/** Dispatch options under which no execution has to wait. */
export const ROOM_ENOUGH: DispatchOptions = {
  ...{ queueTarget: 100, redispatchAfterMs: 30_000, tenantInFlightCap: 100 },
  ...{ tenantQueueShare: 1, tenantSlotShare: 1 },
};

/**
 * The dependencies of the use cases, in memory: agent 1 of the tenant `default`, and a clock that advances only during
 * waits.
 */
export class ExecutionsAtWork {
  readonly store = new InMemoryExecutions();
  readonly acceptances = new InMemoryAcceptances(this.store);
  readonly executions = new InMemoryReader(this.store);
  readonly cancellations = new InMemoryCancellations(this.store);
  readonly decisions = new InMemoryDecisions(this.store);
  readonly dispatches = new InMemoryDispatches(this.store);
  readonly claims = new InMemoryClaims(this.store);
  /** The number of triggers of the dispatcher. */
  triggers = 0;
  /** The recorded measurements. */
  readonly measured: Measurement[] = [];
  readonly meter: ExecutionMeter = { record: (measurement) => void this.measured.push(measurement) };
  readonly dispatcher = {
    trigger: (): void => {
      this.triggers += 1;
    },
  };
  /** The executions that were counted as sent at their acceptance. */
  readonly sentAtOnce: string[] = [];
  readonly acceptedSender = { send: (executionId: string) => void this.sentAtOnce.push(executionId) };
  /** Called during each wait. */
  onWait: () => void = () => undefined;
  private nowMs = 0;
  private names = 0;

  submitDependencies(limits: Partial<SubmitDependencies['limits']> = {}): SubmitDependencies {
    const { acceptances, executions, cancellations, dispatcher, acceptedSender, meter } = this;
    const clock = { monotonic: () => this.nowMs };
    const queued = () => this.store.all().filter(({ status }) => status === 'queued').length;
    const measure = () => Promise.resolve(new Map([['default', { queued: queued(), waitMs: 0 }]]));
    return {
      ...{ acceptances, executions, cancellations, dispatcher, acceptedSender, meter, clock },
      backlog: new BacklogGauge(measure, clock),
      limits: { queued: 100, tenantQueued: 100, tenantWaitMs: 60_000, ...limits },
      timers: {
        after: (ms, act) => {
          this.nowMs += ms;
          this.onWait();
          queueMicrotask(act);
          return () => undefined;
        },
      },
      ids: { next: () => `name ${(this.names += 1)}` },
      sealToken: ({ executionId }, name) => `sealed ${executionId} ${name}`,
      sealWebhookSecret: () => 'sealed',
    };
  }

  find(executionId: string): ContendedExecution {
    const execution = this.store.find(executionId);
    if (!execution) throw new Error('there is no such execution');
    return execution;
  }

  async claim(executionId: string): Promise<void> {
    const { kind } = await this.claims.claim(executionId, ANYBODY, 'token');
    if (kind !== 'claimed') throw new Error(`expected a claim, got ${kind}`);
  }

  async due(): Promise<string[]> {
    return (await this.dispatches.take(ROOM_ENOUGH)).map(({ executionId }) => executionId);
  }
}

/** Passed checks without any limit. */
export const UNLIMITED: PassedChecks = { mostQueued: null, checkedBy: null };

/** A request to run agent 1 in a new conversation. */
export function aSubmitCommand(overrides: Partial<SubmitCommand> = {}): SubmitCommand {
  return {
    tenantId: 'default',
    agentId: 1,
    request: { input: 'hello', options: {}, additional_data: {}, metadata: {} },
    idempotency: null,
    ...overrides,
  };
}
