import { callName } from '#libs/agent-core';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import type { RowsOfPage } from '../rows/bounded-page.js';
import {
  currentWait,
  firstWaits,
  toAttempt,
  toDelivery,
  type DeliveryRow,
  type TimelineExecution,
} from './execution-entries.js';
import {
  entriesOfFact,
  toCallBesideLoop,
  type FactDetails,
  type SpentRow,
  type StepRow,
} from './fact-entries.js';
import type { TimelineEntry, TimelinePlace } from './timeline-entry.js';
import { EPOCH_BEFORE_SQL, TIMELINE_FACTS_SQL, type TimelineFact } from './timeline-facts.js';

/** An entry with its place, after which the next page begins. */
export interface PlacedEntry {
  readonly entry: TimelineEntry;
  readonly place: TimelinePlace;
}

export interface TimelinePage {
  readonly after?: TimelinePlace | undefined;
  readonly limit: number;
}

/** The facts of a page, and the time from and before which rows that are no facts belong to it; null: no bound. */
interface PageOfFacts {
  readonly facts: readonly TimelineFact[];
  readonly isLast: boolean;
  readonly from: Date | null;
  readonly before: Date | null;
}

/**
 * The timeline of one execution, in the order in which its facts were recorded: an entry stands where it was first recorded,
 * and everything that is known of it since is read beside. So a page costs as much as it is long, wherever it is.
 */
export class TimelineStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null: no such execution. */
  async list(
    tenantId: string,
    executionId: string,
    page: TimelinePage,
  ): Promise<RowsOfPage<PlacedEntry> | null> {
    const [execution] = await this.rows<TimelineExecution>(EXECUTION_SQL, [tenantId, executionId]);
    if (!execution) return null;
    const { after = { sequence: 0, count: 0 }, limit } = page;
    const found = await this.readFacts(executionId, after.sequence, limit);
    const { details, beside } = await this.readBeside(executionId, execution, found);
    const epoch = await this.epochBefore(executionId, after.sequence);
    const entries = [
      ...(after.sequence === 0 ? place(0, firstWaits(execution), beside.before(found.facts[0])) : []),
      ...entriesOfFacts(found.facts, { execution, details, beside, epoch }),
      ...(found.isLast ? trailing(execution, found.facts, { after, epoch }) : []),
    ].filter(({ place: { sequence, count } }) => sequence > after.sequence || count > after.count);
    return { rows: entries.slice(0, limit), hasMore: entries.length > limit || !found.isLast };
  }

  /** Reads as many facts as a full page may need, and the fact of the cursor, which may have entries left. */
  private async readFacts(executionId: string, from: number, limit: number): Promise<PageOfFacts> {
    const most = limit + 1;
    const read = await this.rows<TimelineFact>(TIMELINE_FACTS_SQL, [executionId, from, most + 1]);
    const facts = read.slice(0, most);
    const next = read[most];
    return {
      facts,
      isLast: next === undefined,
      from: from === 0 ? null : (facts[0]?.created_at ?? null),
      before: next?.created_at ?? null,
    };
  }

  private async epochBefore(executionId: string, sequence: number): Promise<number> {
    if (sequence === 0) return 0;
    const [row] = await this.rows<{ readonly epoch: number }>(EPOCH_BEFORE_SQL, [executionId, sequence]);
    return row?.epoch ?? 0;
  }

  private async readBeside(
    executionId: string,
    execution: TimelineExecution,
    { facts, from, before }: PageOfFacts,
  ) {
    const calls = facts.flatMap(({ scope, round, calls: asked }) =>
      asked.map((_call, at) => ({ scope, round, at })),
    );
    const rounds = facts.filter(({ kind }) => kind.startsWith('model_call'));
    const [steps, spent, aside, deliveries] = await Promise.all([
      this.rows<StepRow>(STEPS_SQL, [
        executionId,
        calls.map((c) => c.scope),
        calls.map((c) => c.round),
        calls.map((c) => c.at),
      ]),
      this.rows<SpentRow>(SPENT_SQL, [executionId, rounds.map((f) => f.scope), rounds.map((f) => f.round)]),
      this.rows<SpentRow>(SPENT_ASIDE_SQL, [executionId, from, before]),
      this.rows<DeliveryRow>(DELIVERIES_SQL, [executionId, from, before]),
    ]);
    const details: FactDetails = {
      steps: new Map(steps.map((step) => [callName(step.scope, step), step])),
      spent,
      status: execution.status,
      approvalExpiresAt: execution.approval_expires_at,
    };
    const timed = [
      ...aside.map((row) => ({ at: row.executed_at, entry: toCallBesideLoop(row) })),
      ...deliveries.map((row) => ({ at: row.created_at, entry: toDelivery(row) })),
    ];
    return { details, beside: new EntriesBeside(timed) };
  }

  private rows<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return queryRows<Row>(this.dataSource, sql, parameters);
  }
}

interface Timed {
  readonly at: Date;
  readonly entry: TimelineEntry;
}

/** Entries that are no facts: each follows the last fact that was recorded before it. */
class EntriesBeside {
  private readonly left: Timed[];

  constructor(timed: readonly Timed[]) {
    this.left = [...timed].sort(
      (a, b) => a.at.getTime() - b.at.getTime() || (a.entry.id < b.entry.id ? -1 : 1),
    );
  }

  /** Takes out those before this fact; all that are left where there is none. */
  before(next: TimelineFact | undefined): TimelineEntry[] {
    const found = this.left.findIndex(({ at }) => next !== undefined && at >= next.created_at);
    return this.left.splice(0, found === -1 ? this.left.length : found).map(({ entry }) => entry);
  }
}

function place(sequence: number, ...entries: readonly (readonly TimelineEntry[])[]): PlacedEntry[] {
  return entries.flat().map((entry, index) => ({ entry, place: { sequence, count: index + 1 } }));
}

interface Surroundings {
  readonly execution: TimelineExecution;
  readonly details: FactDetails;
  readonly beside: EntriesBeside;
  readonly epoch: number;
}

function entriesOfFacts(facts: readonly TimelineFact[], given: Surroundings): PlacedEntry[] {
  const { execution, details, beside } = given;
  return facts.flatMap((fact, index) => {
    const before = index === 0 ? given.epoch : (facts[index - 1]?.epoch ?? 0);
    const attempts = attemptsOf(execution, (epoch) => epoch > before && epoch <= fact.epoch);
    return place(fact.sequence, attempts, entriesOfFact(fact, details), beside.before(facts[index + 1]));
  });
}

/** Attempts that no fact is known of, and the wait of the moment, after the last fact. */
function trailing(
  execution: TimelineExecution,
  facts: readonly TimelineFact[],
  { after, epoch }: { readonly after: TimelinePlace; readonly epoch: number },
): PlacedEntry[] {
  const last = facts.at(-1);
  const sequence = (last?.sequence ?? after.sequence) + 1;
  const attempts = attemptsOf(execution, (one) => one > (last?.epoch ?? epoch));
  const wait = currentWait(execution);
  return place(sequence, attempts, wait === null ? [] : [wait]);
}

function attemptsOf(execution: TimelineExecution, isMeant: (epoch: number) => boolean): TimelineEntry[] {
  const records = execution.attempts ?? [];
  return records.filter(({ epoch }) => isMeant(epoch)).map((record) => toAttempt(record, execution));
}

const EXECUTION_SQL = `
  SELECT status, session_id, epoch, attempts, waiting_for, pending_calls, head_since, due_at, deadline_at, created_at, started_at,
         finished_at, approval_expires_at
    FROM execution WHERE tenant_id = $1 AND id = $2`;

const STEPS_SQL = `
  SELECT scope, round, position, step.status, step.effect, step.attempt, step.started_at, step.finished_at
    FROM unnest($2::text[], $3::int[], $4::int[]) AS asked (scope, round, position)
    JOIN run_step step USING (scope, round, position) WHERE step.execution_id = $1`;

const SPENT_COLUMNS = `scope, purpose, round, try_number, state, model, response_id, input_tokens, cached_input_tokens,
         output_tokens, cost_usd::text AS cost_usd, executed_at`;

const SPENT_SQL = `
  SELECT ${SPENT_COLUMNS}
    FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::int[]) AS one (scope, round)) asked
    JOIN usage_log USING (scope, round) WHERE execution_id = $1 AND purpose = 'round'`;

const SPENT_ASIDE_SQL = ['<', '>']
  .map(
    (side) => `
  SELECT ${SPENT_COLUMNS} FROM usage_log
   WHERE execution_id = $1 AND scope = '' AND purpose ${side} 'round'
     AND executed_at >= coalesce($2, '-infinity'::timestamptz) AND executed_at < coalesce($3, 'infinity'::timestamptz)`,
  )
  .join(' UNION ALL ');

const DELIVERIES_SQL = `
  SELECT id, type, status, attempt_count, created_at, delivered_at FROM webhook_delivery
   WHERE execution_id = $1
     AND created_at >= coalesce($2, '-infinity'::timestamptz) AND created_at < coalesce($3, 'infinity'::timestamptz)`;
