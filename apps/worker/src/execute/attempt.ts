import { setTimeout as sleep } from 'node:timers/promises';
import {
  ROOT,
  runAgentLoop,
  settleFailed,
  type FailureDetails,
  type Journal,
  type LoopPorts,
  type LoopResult,
  type LoopSignals,
  type Pricing,
  type RetrieverResources,
  type StopReason,
} from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { PendingCall } from '#libs/payloads';
import type { ToolCatalogue } from '#libs/tooling';
import { askPatiently, type Claim, type Patience, type StoredContext } from '#libs/persistence';
import { attemptClock } from './attempt-clock.js';
import { assertUsable, planExecution, type ExecutionPlan } from './execution-plan.js';
import { isInfrastructureFailure } from './infrastructure-failure.js';
import { JournalHook } from './journal-hook.js';
import { LeasePatience } from './lease-patience.js';
import { makeReporter } from './make-reporter.js';
import type { ResolvedModel } from './model.factory.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import { StreamEventSink } from './stream-event-sink.js';
import { sha256 } from './sha256.js';
import { toToolRun } from './tool-run.js';
import { waitFor } from './wait-for.js';

/** 1 is the status `queued`, which follows from the execution itself and is not stored. */
const FIRST_EVENT = 2;

/** One claimed execution in the hands of this process. */
export class Attempt {
  private readonly abort = new AbortController();
  private readonly hook: JournalHook;
  private readonly journal: Journal;
  private readonly releaseLease: () => void;
  private readonly patience: Patience;
  private readonly sink: StreamEventSink;
  private isAnnounced = false;
  /** Whether the loop has begun, which sees to what a lost attempt has left. */
  private isLooping = false;
  private readonly begunAt: number;
  private readonly clock: Clock;
  private deadline: NodeJS.Timeout | undefined;
  private model: ResolvedModel | undefined;
  private modelName: string | null = null;
  private resources: RetrieverResources | null = null;

  constructor(
    private readonly deps: AttemptDependencies,
    readonly claim: Claim,
    private readonly drain: AbortSignal,
  ) {
    this.begunAt = deps.clock.monotonic();
    this.clock = attemptClock(claim.claimedAtMs, deps.clock);
    this.hook = new JournalHook(claim, deps.applyStagedChange, deps.approvalTimeoutMs);
    this.patience = new LeasePatience(deps.leases, claim, drain, {
      longestMs: deps.patienceMs,
      clock: deps.clock,
      wait: sleep,
      random: Math.random,
    });
    this.journal = deps.journalOf(claim, this.hook, this.patience);
    this.releaseLease = deps.leases.hold(claim, this.abort);
    this.sink = this.openSink();
  }

  async run(): Promise<void> {
    const stored = assertUsable(await askPatiently(() => this.deps.contexts.load(this.claim), this.patience));
    this.model = this.deps.models.of(stored.llm);
    this.modelName = stored.llm.model;
    const catalogue = await this.loadTools(stored);
    const options = { messageData: this.deps.messageData, sha256 };
    const plan = planExecution(this.claim, stored, this.model, catalogue, options);
    this.resources = plan.retrieverResources;
    this.startTime();
    this.announce();
    this.isLooping = true;
    const result = await this.turnLoop(plan, catalogue, this.model);
    if (result.kind === 'settled') await this.announceEnd();
    else if (result.kind === 'parked') await this.announceParking();
    else await this.requeue();
  }

  async settleFailed(error: FailureDetails): Promise<void> {
    const { pricing, model } = await this.asked();
    const lostModel = this.claim.followsLostAttempt && !this.isLooping ? model : null;
    await settleFailed(this.journal, pricing, error, lostModel, isInfrastructureFailure);
    await this.announceEnd();
  }

  /** Only a newer release can go on with it. */
  async requeueForNewerVersion(): Promise<void> {
    await this.announceWaiting();
    await this.release(() => this.deps.claims.requeueWithBackoff(this.claim, NEWER_RELEASE_MS));
  }

  /** Nothing is wrong with it; what it needs is not there for the moment. */
  async postpone(delayMs: number): Promise<void> {
    await this.announceWaiting();
    await this.release(() => this.deps.claims.postpone(this.claim, delayMs));
  }

  /** Somebody else, or a better time, may get further with it. */
  async requeueWithBackoff(): Promise<void> {
    await this.release(() => this.deps.claims.requeueWithBackoff(this.claim));
  }

  end(): void {
    clearTimeout(this.deadline);
    this.releaseLease();
  }

  private async loadTools({ tools }: StoredContext): Promise<ToolCatalogue> {
    const run = toToolRun(this.claim, ROOT);
    return this.deps.tools.load({ ...run, agentTools: tools, signal: this.abort.signal });
  }

  private async turnLoop(
    plan: ExecutionPlan,
    catalogue: ToolCatalogue,
    { model }: ResolvedModel,
  ): Promise<LoopResult> {
    const events = this.sink;
    const ports: LoopPorts = {
      journal: this.journal,
      model,
      tools: this.deps.invokerOf(this.claim, { catalogue, events, lateOutcomes: this.journal }),
      events,
      reporter: makeReporter(plan, events, this.clock),
      scopes: this.deps.scopes,
      clock: this.clock,
      wait: waitFor,
      remainingMs: () => this.claim.remainingMs - (this.deps.clock.monotonic() - this.begunAt),
      random: () => Math.random(),
    };
    const signals: LoopSignals = { drain: this.drain, abort: this.abort.signal };
    return runAgentLoop(plan.context, plan.rules, ports, signals);
  }

  /** What earlier attempts spent is priced, also where this one never got as far as its model. */
  private async asked(): Promise<{ readonly pricing: Pricing; readonly model: string | null }> {
    if (this.model) return { pricing: this.model, model: this.modelName };
    let model = this.modelName;
    try {
      const stored = await askPatiently(() => this.deps.contexts.load(this.claim), this.patience);
      model = stored?.llm.model ?? null;
      return { pricing: stored ? this.deps.models.of(stored.llm) : NO_PRICES, model };
    } catch (err) {
      if (isInfrastructureFailure(err)) throw err;
      this.deps.logger.warn({ err, executionId: this.claim.executionId }, 'spending not priced');
      return { pricing: NO_PRICES, model };
    }
  }

  /** How much time is left is decided once, by the database; the timer counts it down by a clock that nobody can set. */
  private startTime(): void {
    const { isCancelled, remainingMs } = this.claim;
    if (isCancelled) this.stop('cancelled');
    else if (remainingMs <= 0) this.stop('deadline');
    else this.deadline = setTimeout(() => this.stop('deadline'), remainingMs);
  }

  private stop(reason: StopReason): void {
    this.abort.abort(reason);
  }

  /** Followers of a first attempt are told from the beginning; of a later one, after what the earlier ones told. */
  private openSink(): StreamEventSink {
    const { executionId, attempt } = this.claim;
    return new StreamEventSink(this.deps.events, executionId, attempt === 1 ? FIRST_EVENT : null, {
      isCurrent: () => this.deps.claims.isCurrent(this.claim),
      onLoss: (err, count) => this.deps.logger.warn({ err, executionId, count }, 'live events dropped'),
    });
  }

  private announce(): void {
    this.isAnnounced = true;
    const { sink } = this;
    const { executionId, sessionId, turnNumber, attempt } = this.claim;
    if (attempt === 1) {
      sink.emit({
        event: 'session_start',
        data: { session_uuid: sessionId, execution_id: executionId, turn_number: turnNumber },
      });
    }
    sink.emit({ event: 'status', data: { status: 'running', attempt } });
  }

  private async announceParking(): Promise<void> {
    const calls = this.hook.view?.required_action?.calls ?? [];
    const { sink } = this;
    const asking = (asks: PendingCall['asks']) => calls.filter((call) => call.asks === asks);
    const [approvals, outcomes] = [asking('approval'), asking('outcome')];
    if (approvals.length > 0) sink.emit({ event: 'approval_required', data: { calls: approvals } });
    if (outcomes.length > 0) sink.emit({ event: 'outcome_required', data: { calls: outcomes } });
    sink.emit({ event: 'status', data: { status: 'requires_action', attempt: this.claim.attempt } });
    await sink.flush();
  }

  private async announceEnd(): Promise<void> {
    const { view } = this.hook;
    if (!view) return;
    const { sink } = this;
    if (this.resources) sink.emit({ event: 'retriever_resources', data: toEventData(this.resources) });
    if (view.error) sink.emit({ event: 'error', data: view.error });
    sink.emit({ event: 'result', data: view });
    await sink.flush();
  }

  /** Also what it fenced itself from: unless somebody else has it by now, the attempt was cut off, and did not die. */
  private async requeue(): Promise<void> {
    if (this.abort.signal.reason !== ('lease_lost' satisfies StopReason)) await this.announceWaiting();
    await this.release(() => this.deps.claims.release(this.claim));
  }

  /** With everything that became known: the next attempt has nothing but the journal to go by. */
  private async release(letGo: () => Promise<boolean>): Promise<void> {
    await this.deps.backgroundReleases.release(async () => {
      await this.handOver();
      return letGo();
    });
  }

  /** What can never be written holds back nobody. */
  private async handOver(): Promise<void> {
    try {
      await this.journal.handOver();
    } catch (err) {
      if (isInfrastructureFailure(err)) throw err;
      this.deps.logger.error({ err, executionId: this.claim.executionId }, 'facts not handed over');
    }
  }

  private async announceWaiting(): Promise<void> {
    if (!this.isAnnounced) return;
    this.sink.emit({ event: 'status', data: { status: 'queued', attempt: this.claim.attempt } });
    await this.sink.flush();
  }
}

/** Of a model whose configuration is gone, or unreadable. */
const NO_PRICES: Pricing = { costOf: () => null, prices: null };
/** Until somebody looks again whether a release is there that can read the journal. */
const NEWER_RELEASE_MS = 30_000;

function toEventData({ retriever_resources, context }: RetrieverResources) {
  return { retriever_resources: retriever_resources.map((resource) => ({ ...resource })), context };
}
