import {
  isCancelled,
  LeaseLostError,
  ROOT,
  runAgentLoop,
  settleFailed,
  settleStopped,
  toRetrieverResources,
  withPassages,
  type EndingPlan,
  type FailureDetails,
  type EventSink,
  type LoopResult,
  type LoopSignals,
  type RetrieverResources,
  type ScopePlan,
  type StopReason,
} from '#libs/agent-core';
import { pause } from '#libs/kernel';
import type { ExecutionResult, WaitingFor } from '#libs/payloads';
import { AttemptEvents } from '../events/attempt-events.js';
import { measureFirstDelta, openSink } from './open-sink.js';
import type { StreamEventSink } from '../events/stream-event-sink.js';
import type { Claim } from '../ports/claim-store.js';
import type { ClaimedState } from '../ports/claimed-state.js';
import type { StoredContext } from '../ports/stored-context.js';
import type { AttemptEnding } from '../ports/execution-meter.js';
import type { RetryPolicy } from '../ports/retry-policy.js';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import { AttemptTime } from './attempt-time.js';
import { AttemptWaits, isOfModel } from './attempt-waits.js';
import type { WaitBehind } from './wait-behind.js';
import { loopPorts } from './loop-ports.js';
import { RunEnd } from '../tools/load-tools.js';
import { MeasuredJournal } from './measured-journal.js';
import { AgentScopes } from '../plan/agent-scopes.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import { planEnding } from '../plan/execution-plan.js';
import {
  findScopeAgent,
  planScope,
  type ScopeAgent,
  type ScopeParts,
  type ScopeToPlan,
} from '../plan/plan-scope.js';
import { handOver } from './hand-over.js';
import { findAskedModel, type AskedModel } from './find-asked-model.js';
import { LeaseGrace } from './lease-grace.js';

/** The beginning of an attempt. */
export interface AttemptStart {
  /** Facts read with the claim, if nothing was written since. */
  readonly state?: ClaimedState | null;
  /** Time of the claim request, by the clock of the leases. */
  readonly askedAt?: number;
  /**
   * Called once an ending of the execution is stored and only its last event is still to be sent. Not called if resources
   * of its tools are still open.
   */
  readonly onStored?: (() => void) | undefined;
}

/** One attempt at a claimed execution in this process. */
export class Attempt {
  private readonly abort = new AbortController();
  private readonly journal: MeasuredJournal;
  private readonly releaseLease: () => void;
  private readonly retries: RetryPolicy;
  private readonly stream: StreamEventSink;
  private readonly sink: EventSink;
  private readonly events: AttemptEvents;
  private readonly time: AttemptTime;
  private readonly state: ClaimedState | null;
  private readonly onStored: AttemptStart['onStored'];
  private readonly runEnd: RunEnd;
  private readonly waits: AttemptWaits;
  readonly claim: Claim;
  private asked: AskedModel | undefined;
  /** True once the loop runs; from then on the loop accounts for model calls of a lost attempt. */
  private isLooping = false;
  private resources: RetrieverResources | null = null;
  /** Default `lease_lost`: without a recorded ending, only another worker can have ended the execution. */
  private ending: AttemptEnding = 'lease_lost';

  constructor(
    private readonly deps: AttemptDependencies,
    claimed: Claim,
    private readonly drain: AbortSignal,
    { state = null, askedAt, onStored }: AttemptStart = {},
  ) {
    const { clock, timers, random, leaseGraceMs: longestMs } = deps;
    this.state = state;
    this.onStored = onStored;
    // The copy is shared with the journal and gets `startedAtMs` at the start, so that the ending records it.
    const claim = { ...claimed };
    this.claim = claim;
    this.time = new AttemptTime(claim, clock, timers);
    const wait = (ms: number) => pause(timers, ms);
    this.runEnd = new RunEnd(wait);
    this.retries = new LeaseGrace(deps.leases, claim, drain, { longestMs, clock, wait, random });
    const journal = deps.journalOf(claim, this.retries, this.time.clock, state?.facts ?? null);
    this.journal = new MeasuredJournal(journal, claim, deps.meter, deps.logger);
    this.releaseLease = deps.leases.hold(claim, this.abort, askedAt);
    const { meter } = deps;
    this.stream = openSink(deps, claim);
    this.sink = measureFirstDelta(this.stream, { claim, clock: this.time.clock, meter });
    this.events = new AttemptEvents(this.sink, claim);
    const store = (waiting: WaitingFor | null) => deps.claims.showWait(claim, waiting);
    const shown = { events: this.sink, clock: this.time.clock, timers, store };
    this.waits = new AttemptWaits(shown, claim.waitingFor);
  }

  private get signals(): LoopSignals {
    return { drain: this.drain, abort: this.abort.signal };
  }

  /** Null until the execution's context was loaded. */
  get modelName(): string | null {
    return this.asked?.name ?? null;
  }

  get endsAs(): AttemptEnding {
    return this.ending;
  }

  /** Throws errors that are neither an ending of the execution nor a regular ending of the attempt. */
  async run(): Promise<void> {
    if (this.claim.isCancelled) this.stop('cancelled');
    else this.time.atDeadline(() => this.stop('deadline'));
    const agent = findScopeAgent(this.deps, await this.loadContext());
    const { usable, model } = agent;
    const asked = { name: usable.llm.model, pricing: model };
    this.asked = asked;
    const plan = await planScope(this.deps, this.parts, this.rootOf(agent));
    if (plan === 'drained') return this.requeue();
    if (plan === 'stopped')
      return this.settleStopped(planEnding(this.claim, usable, model, this.deps.messageData), asked);
    this.isLooping = true;
    const result = await this.turnLoop(plan);
    if (result.kind === 'settled') {
      this.resources = withPassages(this.resources, result.passages);
      await this.announceEnd(result.view);
    } else if (result.kind === 'parked') {
      this.ending = 'parked';
      await this.events.park(result.view);
    } else await this.requeue();
  }

  /** Cancellation takes precedence over failure. */
  async settleFailed(error: FailureDetails): Promise<void> {
    const why = isCancelled(this.abort.signal) ? 'cancelled' : error;
    const asked = this.asked ?? (await findAskedModel(this.deps, this.claim, this.retries));
    const lostModel = this.lostModel(asked);
    const isPassing = (failure: unknown) => isInfrastructureFailure(failure, this.deps.classifyStorageError);
    const view = await settleFailed(this.journal, asked.pricing, why, lostModel, isPassing);
    this.noteStored();
    await this.events.settle(view, this.resources);
  }

  /** Settles an execution that was cancelled or reached its deadline while the tools for its next round are unavailable. */
  private async settleStopped(plan: EndingPlan, asked: AskedModel): Promise<void> {
    const reason = isCancelled(this.abort.signal) ? 'cancelled' : 'deadline';
    const { waitingFor } = this.claim;
    const waitedFor = reason === 'deadline' && waitingFor?.kind === 'tool_server' ? waitingFor.message : null;
    const view = await settleStopped(this.journal, plan, reason, this.lostModel(asked), waitedFor);
    await this.announceEnd(view);
  }

  private lostModel(asked: AskedModel): string | null {
    return this.claim.followsLostAttempt && !this.isLooping ? asked.name : null;
  }

  private noteStored(): void {
    this.ending = 'settled';
    if (this.runEnd.hasNothingOpen) this.onStored?.();
  }

  private async announceEnd(result: ExecutionResult): Promise<void> {
    this.noteStored();
    await this.events.settle(result, this.resources);
    if (result.title_pending) this.deps.onTitlePending(result.id);
  }

  /** Requeues the execution for a newer release: a newer one has written its journal and most likely still runs. */
  async requeueForNewerVersion(): Promise<void> {
    this.ending = 'left';
    await this.events.requeue();
    await this.release(() => this.deps.claims.requeueWithBackoff(this.claim));
  }

  /** Requeues the execution until the missing dependency (model host, tool server, retrieval) is available again. */
  async postpone(wait: WaitBehind): Promise<void> {
    this.ending = 'postponed';
    const waitedMs = wait.kind === 'tool_server' ? this.time.clock.now() - this.claim.claimedAtMs : null;
    const waiting = await this.release(() => this.deps.claims.postpone(this.claim, { ...wait, waitedMs }));
    if (waiting) await this.events.wait(waiting);
  }

  /** Records the start once the tools are loaded, and ends an earlier wait unless it was for a model. */
  private async start(): Promise<void> {
    const { claim } = this;
    const isOver = claim.waitingFor !== null && !isOfModel(claim.waitingFor);
    if (claim.startedAtMs !== null && !isOver) return;
    const startedAtMs = await this.deps.claims.begin(claim, this.retries);
    if (startedAtMs === null) throw new LeaseLostError(claim.executionId, claim.epoch);
    Object.assign(claim, { startedAtMs });
    if (isOver) this.waits.endInherited();
  }

  /** Requeues the execution after an unexpected error: another worker or a later attempt may succeed. */
  async requeueWithBackoff(): Promise<void> {
    this.ending = 'requeued';
    await this.release(() => this.deps.claims.requeueWithBackoff(this.claim));
  }

  /** Resolves once the resources of the run's tools are closed or were abandoned. */
  async end(): Promise<void> {
    this.time.end();
    this.releaseLease();
    this.stream.end();
    this.deps.meter.record({ kind: 'attempt', ending: this.ending });
    await this.runEnd.end();
  }

  private async loadContext(): Promise<StoredContext | null> {
    const { claim, deps, retries, state } = this;
    return state === null ? deps.contexts.load(claim, retries) : state.context;
  }

  private rootOf(agent: ScopeAgent): ScopeToPlan {
    const { claim, sink: events, signals } = this;
    return {
      ...{ scope: ROOT, agent, claim, filesOf: claim, events },
      stop: signals.abort,
      waitsForRoom: signals,
      onTools: () => this.start(),
      onChecked: () => {
        this.resources = toRetrieverResources(claim.request.context);
        this.events.begin();
      },
    };
  }

  private turnLoop(plan: ScopePlan): Promise<LoopResult> {
    const { claim, journal, time, waits } = this;
    const scopes = new AgentScopes(this.deps, { ...this.parts, claim, events: this.sink });
    const ports = loopPorts(this.deps, plan, { claim, journal, time, waits, scopes });
    return runAgentLoop(plan.context, plan.rules, ports, this.signals);
  }

  private get parts(): ScopeParts {
    const { journal, retries, time } = this;
    return { journal, retries, time, onEnd: this.runEnd.onEnd };
  }

  private stop(reason: StopReason): void {
    this.abort.abort(reason);
  }

  /**
   * Releases the claim after this process has fenced itself, so that the attempt counts as cut off and not as crashed.
   * After a refused write nothing is released: another worker has claimed the execution since, even if a crash of the
   * database lost that claim.
   */
  async releaseCutOff(): Promise<void> {
    if (!this.isFenced || this.journal.isRefused) return;
    this.ending = 'lease_lost';
    await this.release(() => this.deps.claims.release(this.claim));
  }

  private get isFenced(): boolean {
    return this.abort.signal.reason === ('lease_lost' satisfies StopReason);
  }

  private async requeue(): Promise<void> {
    if (this.isFenced) return this.releaseCutOff();
    this.ending = 'released';
    await this.events.requeue();
    await this.release(() => this.deps.claims.release(this.claim));
  }

  /** Hands over all known facts first: the next attempt has only the journal to resume from. */
  private async release<Answer>(release: () => Promise<Answer>): Promise<Answer | undefined> {
    return this.deps.backgroundReleases.release(async () => {
      await handOver(this.journal, this.deps, this.claim.executionId);
      return release();
    });
  }
}
