import type { Execution, RunStep } from '../../api/types.js';
import { stepKey } from '../steps/step-key.js';
import type { EntryStatus, TimelineEntry } from './timeline-entry.js';

type Run = Pick<
  Execution,
  'attempt' | 'created_at' | 'started_at' | 'finished_at' | 'status' | 'waiting_for'
>;

const STEP_STATUS: Readonly<Record<RunStep['status'], EntryStatus>> = {
  started: 'running',
  skipped: 'skipped',
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'skipped',
  outcome_unknown: 'unknown',
};

/** The timeline as far as a run and the audit of its tool calls say it: model calls are in neither. Pure. */
export function timelineOfSteps(run: Run, steps: readonly RunStep[]): TimelineEntry[] {
  return [...lifeOf(run), ...steps.map(entryOf)];
}

function lifeOf(run: Run): TimelineEntry[] {
  const created = Date.parse(run.created_at);
  const started = run.started_at === null ? null : Date.parse(run.started_at);
  const waitsSince = run.waiting_for === null ? null : Date.parse(run.waiting_for.since);
  const ended = run.finished_at === null ? waitsSince : Date.parse(run.finished_at);
  const life: TimelineEntry[] = [];
  if (started === null || started > created) {
    life.push({
      ...PLAIN,
      id: 'queued',
      kind: 'wait',
      label: 'Queued',
      status: started === null ? 'waiting' : 'succeeded',
      startedAt: created,
      finishedAt: started,
    });
  }
  if (started !== null) {
    const status = attemptStatus(run);
    const label = `Attempt ${run.attempt}`;
    life.push({
      ...PLAIN,
      id: 'attempt',
      kind: 'attempt',
      label,
      status,
      startedAt: started,
      finishedAt: ended,
    });
  }
  if (run.waiting_for !== null && waitsSince !== null && started !== null) {
    const { kind, message } = run.waiting_for;
    life.push({
      ...PLAIN,
      id: 'waiting',
      kind: kind === 'approval' || kind === 'outcome' ? 'approval' : 'wait',
      label: 'Waits',
      detail: message,
      status: 'waiting',
      startedAt: waitsSince,
      finishedAt: null,
    });
  }
  return life;
}

const PLAIN = { parentId: null, detail: '', stepKey: null } as const;

function attemptStatus({ status }: Run): EntryStatus {
  if (status === 'running' || status === 'queued') return 'running';
  return status === 'failed' ? 'failed' : 'succeeded';
}

function entryOf(step: RunStep): TimelineEntry {
  const key = stepKey(step);
  return {
    id: `step ${key}`,
    kind: 'tool_call',
    // The steps of a sub-agent belong to the call that runs it, which has the name of their scope.
    parentId: step.scope === '' ? null : `step ${step.scope}`,
    label: step.tool_name,
    detail: step.scope === '' ? '' : `in ${step.scope}`,
    status: STEP_STATUS[step.status],
    startedAt: Date.parse(step.started_at),
    finishedAt: step.finished_at === null ? null : Date.parse(step.finished_at),
    stepKey: key,
  };
}
