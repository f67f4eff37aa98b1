import { Injectable } from '@nestjs/common';
import { callName } from '#libs/agent-core';
import {
  cancelExecution,
  decideCalls,
  EventStream,
  executionEvents,
  ExecutionDispatcher,
  ExecutionMeter,
  findSeenEnding,
  StatusReads,
  type AppendWatch,
  type CallDecision,
} from '#libs/executions';
import { assertNever, systemClock, systemTimers } from '#libs/kernel';
import {
  isSettled,
  type ExecutionSummary,
  type ExecutionView,
  type ExecutionWithRequest,
} from '#libs/payloads';
import {
  ApprovalStore,
  CancellationStore,
  ExecutionStore,
  RunStepStore,
  TimelineStore,
  type ExecutionFilter,
  type RunStepView,
  type TimelineEntry,
} from '#libs/persistence';
import type { Principal } from '../http/access.js';
import { byId, toPage, type Page } from '../http/page.js';
import type { DecisionsDto, RunStepListQuery, WorkingMemoryDto } from './executions.dto.js';
import type { ExecutionListQuery } from './execution-filters.dto.js';
import {
  decidedOtherwise,
  executionNotFound,
  inputsNotSearchable,
  notWaiting,
  unknownCalls,
  wrongKind,
} from './executions.errors.js';
import type { TimelineQuery } from './timeline.dto.js';
import type { OutgoingEvent } from './server-sent-event.js';
import { withCurrentData } from './with-current-data.js';

/** Default page size of run steps: the maximum number of calls of one execution. */
const MAX_STEPS = 2_000;
/** Milliseconds that the result event is waited for after the execution has settled. */
const GRACE_MS = 1_000;
const SHORT_GRACE_MS = 20;
/** Maximum time between a worker settling an execution and emitting its result, in ms. */
const EMITTED_WITHIN_MS = 5_000;

export type Following =
  | { readonly kind: 'events'; readonly events: AsyncGenerator<readonly OutgoingEvent[], void, undefined> }
  /** The client has already received the last event. */
  | { readonly kind: 'seen_all' };

/** Reads, lists, follows and cancels executions of one tenant, and records decisions on their calls. */
@Injectable()
export class ExecutionsService {
  constructor(
    private readonly executions: ExecutionStore,
    private readonly runSteps: RunStepStore,
    private readonly stream: EventStream,
    private readonly statuses: StatusReads,
    private readonly cancellations: CancellationStore,
    private readonly approvals: ApprovalStore,
    private readonly dispatcher: ExecutionDispatcher,
    private readonly meter: ExecutionMeter,
    private readonly timelines: TimelineStore,
  ) {}

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<ExecutionView> {
    const view = await this.executions.find(tenantId, id);
    if (view === null) throw executionNotFound();
    return withCurrentData(view);
  }

  /** Finds an execution with its request. Throws `NOT_FOUND`. */
  async findWhole(tenantId: string, id: string): Promise<ExecutionWithRequest> {
    const view = await this.executions.findWithRequest(tenantId, id);
    if (view === null) throw executionNotFound();
    return withCurrentData(view);
  }

  /** Lists executions without their results. Throws where inputs are to be searched and the database cannot. */
  async list(tenantId: string, query: ExecutionListQuery): Promise<Page<ExecutionSummary>> {
    if (query.input !== undefined && !(await this.executions.canSearchInputs())) throw inputsNotSearchable();
    return toPage(await this.executions.list(tenantId, toFilter(query)), byId);
  }

  /** The audit rows of one execution (S2-31), by default all. Throws `NOT_FOUND`. */
  async listRunSteps(
    tenantId: string,
    executionId: string,
    { limit = MAX_STEPS, cursor: after, call }: RunStepListQuery,
  ): Promise<Page<RunStepView>> {
    const { id } = await this.find(tenantId, executionId);
    const steps = await this.runSteps.list(tenantId, id, { limit, after, call });
    return toPage(steps, (step) => callName(step.scope, step));
  }

  /** Everything that happened in one execution, without contents. Throws `NOT_FOUND`. */
  async listTimeline(
    tenantId: string,
    executionId: string,
    { limit, cursor: after }: TimelineQuery,
  ): Promise<Page<TimelineEntry>> {
    const rows = await this.timelines.list(tenantId, executionId, { limit, after });
    if (rows === null) throw executionNotFound();
    const page = toPage(rows, ({ place: { sequence, count } }) => `${sequence}.${count}`);
    return { ...page, data: page.data.map(({ entry }) => entry) };
  }

  /** Throws `NOT_FOUND`. */
  async findWorkingMemory(tenantId: string, executionId: string): Promise<WorkingMemoryDto> {
    const working_memory = await this.executions.findWorkingMemory(tenantId, executionId);
    if (working_memory === null) throw executionNotFound();
    return { working_memory };
  }

  /** Stored events after `afterId`, then new ones as they arrive. Throws `NOT_FOUND`. */
  async follow(
    tenantId: string,
    executionId: string,
    afterId: number,
    signal: AbortSignal,
  ): Promise<Following> {
    // Watch before reading the execution: if it has no events by then, the watch misses none and the stored stream is not
    // read.
    const watch = this.stream.watch(executionId);
    closeWith(signal, watch);
    const view = await this.find(tenantId, executionId);
    const isBegun = hasEvents(view);
    if (isBegun) watch.close();
    const seen = isSettled(view.status) ? await findSeenEnding(this.stream, view, afterId) : 'none';
    if (seen === 'all') return { kind: 'seen_all' };
    const sources = {
      stream: this.stream,
      sinceEmpty: isBegun ? undefined : watch,
      clock: systemClock,
      timers: systemTimers,
      read: async () => {
        const ending = await this.executions.findEnding(tenantId, view.id);
        return ending && { ...ending, result: withCurrentData(ending.result) };
      },
      isSettled: async () => {
        // An execution that had settled at the start needs no further status reads.
        if (isSettled(view.status)) return true;
        const status = await this.statuses.statusOf(view.id);
        return status === null || isSettled(status);
      },
      graceMs: await this.graceOf(tenantId, view),
    };
    return { kind: 'events', events: executionEvents(sources, view.id, { afterId, seen }, signal) };
  }

  /** A settled execution stays unchanged. Throws `NOT_FOUND`. */
  async cancel(tenantId: string, executionId: string): Promise<ExecutionView> {
    const { cancellations, executions, dispatcher, meter } = this;
    const deps = { cancellations, executions, dispatcher, meter };
    const view = await cancelExecution(deps, tenantId, executionId);
    if (view === null) throw executionNotFound();
    return withCurrentData(view);
  }

  /** Records a person's decisions, all or none. The execution resumes once its last waiting call is decided. */
  async decide(
    { tenantId, keyId }: Principal,
    executionId: string,
    { decisions, person }: DecisionsDto,
  ): Promise<ExecutionView> {
    const deps = { decisions: this.approvals, executions: this.executions, dispatcher: this.dispatcher };
    const result = await decideCalls(deps, tenantId, executionId, decisions.map(toCallDecision), {
      keyId,
      person: person ?? null,
    });
    switch (result.kind) {
      case 'decided':
        return result.view;
      case 'not_found':
        throw executionNotFound();
      case 'not_waiting':
        throw notWaiting();
      case 'unknown_calls':
        throw unknownCalls(decisions, result.calls);
      case 'decided_otherwise':
        throw decidedOtherwise(result.calls);
      case 'wrong_kind':
        throw wrongKind(result.calls);
      default:
        return assertNever(result);
    }
  }

  /** Grace period in ms; short where the result event would have arrived long ago. */
  private async graceOf(tenantId: string, { id, status }: ExecutionView): Promise<number> {
    if (!isSettled(status)) return GRACE_MS;
    return (await this.executions.hasSettledBefore(tenantId, id, EMITTED_WITHIN_MS))
      ? SHORT_GRACE_MS
      : GRACE_MS;
  }
}

function toFilter(query: ExecutionListQuery): ExecutionFilter {
  const { limit, cursor: lastId, status: statuses, metadata, from, to, sort, input } = query;
  return {
    ...{ statuses, metadata, from, to, input, lastId, limit, isOldestFirst: sort === 'created_at' },
    ...{ agentId: query.agent_id, agentVersion: query.agent_version, sessionId: query.session_uuid },
    ...{ executorId: query.executor_id, errorCode: query.error_code, toolName: query.tool_name },
    ...{ minCostUsd: query.min_cost_usd, maxCostUsd: query.max_cost_usd },
    ...{ minDurationMs: query.min_duration_ms, maxDurationMs: query.max_duration_ms },
  };
}

/** The client may disconnect before any event is read. */
function closeWith(signal: AbortSignal, watch: AppendWatch): void {
  if (signal.aborted) watch.close();
  else signal.addEventListener('abort', () => watch.close(), { once: true });
}

/**
 * Whether a worker may have emitted events. An attempt that only waited for a tool server is not counted, yet it emits one.
 */
function hasEvents({ status, attempt, started_at, waiting_for }: ExecutionView): boolean {
  const hasRun = attempt > 0 || started_at !== null;
  return status !== 'queued' || hasRun || waiting_for?.kind === 'tool_server';
}

function toCallDecision({
  call,
  reason,
  approved,
  outcome,
  output,
}: DecisionsDto['decisions'][number]): CallDecision {
  if (outcome === undefined) return { call, reason, approved: approved === true };
  const report = outcome === 'happened' ? { kind: outcome, output: output ?? null } : { kind: outcome };
  return { call, reason, report };
}
