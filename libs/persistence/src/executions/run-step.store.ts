import type { DataSource, Repository } from 'typeorm';
import { callName } from '#libs/agent-core';
import type { JsonValue } from '#libs/kernel';
import type { LateEvidence, TakenDecision } from '#libs/payloads';
import { RunStepEntity } from '../entities/run-step.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { decisionsByCall, readDecisions } from './read-decisions.js';

/** A RunStep as the audit shows it. */
export interface RunStepView {
  readonly scope: string;
  readonly round: number;
  readonly position: number;
  readonly attempt: number;
  readonly call_id: string;
  readonly tool_name: string;
  readonly input: JsonValue;
  readonly sent_input: string | null;
  readonly output: JsonValue;
  readonly status: 'started' | 'skipped' | 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';
  readonly error: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Outcomes of the call that attempts observed after they lost their lease. */
  readonly late_evidence: readonly (LateEvidence & { readonly error: string | null })[];
  /** Decisions of people on the call, in order. */
  readonly decisions: readonly TakenDecision[];
}

interface StepPlace {
  readonly scope: string;
  readonly round: number;
  readonly position: number;
}

export interface RunStepPage {
  readonly after?: StepPlace | undefined;
  /** Only the step of this call. */
  readonly call?: StepPlace | undefined;
  readonly limit: number;
}

/** Audit rows of executions. They are written with the facts of the journal (`append-facts.ts`). */
export class RunStepStore {
  private readonly steps: Repository<RunStepEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.steps = dataSource.getRepository(RunStepEntity);
  }

  /** Sorted by scope, with the root first, then by round and position. */
  async list(
    tenantId: string,
    executionId: string,
    { after, call, limit }: RunStepPage,
  ): Promise<RowsOfPage<RunStepView>> {
    const steps = this.steps.createQueryBuilder('step').where({ tenantId, executionId, ...placeOf(call) });
    if (after !== undefined) steps.andWhere(IS_AFTER, after);
    const rows = await readEntityPage(this.steps, steps, {
      orderBy: 'scope COLLATE "C", round, position',
      limit,
    });
    const decided = decisionsByCall(await readDecisions(this.dataSource, executionId));
    return mapRows(rows, (step) => toView(step, decided.get(callName(step.scope, step)) ?? []));
  }
}

const placeOf = (call: StepPlace | undefined) =>
  call && { scope: call.scope, round: call.round, position: call.position };

const IS_AFTER = `(step.scope COLLATE "C", step.round, step.position) > (:scope::text COLLATE "C", :round::int, :position::int)`;

function toView(step: RunStepEntity, decisions: readonly TakenDecision[]): RunStepView {
  const { scope, round, position, attempt, callId, toolName, input, sentInput, output, status, error } = step;
  return {
    ...{ scope, round, position, attempt, call_id: callId, tool_name: toolName },
    ...{ input, sent_input: sentInput, output, status, error },
    started_at: step.startedAt.toISOString(),
    finished_at: step.finishedAt?.toISOString() ?? null,
    late_evidence: step.lateEvidence.map(({ observed_at, ...seen }) => ({
      ...seen,
      observed_at: new Date(observed_at).toISOString(),
    })),
    decisions,
  };
}
