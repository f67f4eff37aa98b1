import type { Assignment, AssignmentStore } from '../ports/assignment-store.js';
import type { ExecutionSlots } from '../slots/execution-slots.js';
import type { JobIntake } from '../slots/job-intake.js';

export interface AssignmentIntakeDependencies {
  readonly intake: Pick<JobIntake, 'start'>;
  readonly places: Pick<ExecutionSlots, 'free'>;
  readonly store: Pick<AssignmentStore, 'requeue'>;
  /** Aborted when no further work may begin. */
  readonly drain: AbortSignal;
  /** Called after executions were requeued. */
  readonly onRequeued: () => void;
  readonly onError: (error: unknown) => void;
}

/** Runs the executions that an API has assigned to this worker, and requeues what has no slot. */
export class AssignmentIntake {
  constructor(private readonly deps: AssignmentIntakeDependencies) {}

  /** Begins what has a slot. Returns the slots that are free then. */
  receive(assignments: readonly Assignment[]): number {
    const { drain, onError, places } = this.deps;
    if (assignments.length > 0) this.begin(assignments).catch(onError);
    return drain.aborted ? 0 : places.free;
  }

  /** An execution that cannot be taken or requeued now is found when its lease is over. */
  private async begin(assignments: readonly Assignment[]): Promise<void> {
    const { intake, onRequeued, store } = this.deps;
    const left = await intake.start(assignments);
    if (left.length === 0) return;
    await store.requeue(left);
    onRequeued();
  }
}
