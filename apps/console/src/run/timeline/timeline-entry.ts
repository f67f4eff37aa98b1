export type EntryStatus = 'running' | 'waiting' | 'succeeded' | 'failed' | 'unknown' | 'skipped';

/** Step of a pipeline that makes a call. */
export interface MakingStep {
  readonly name: string;
  /** Loop that the pipeline is: empty at the root, `2.1` in a sub-agent. */
  readonly scope: string;
  /** Round of the loop; each try of a step is a round. */
  readonly round: number;
}

/** One bar of the waterfall. Times are Unix times in ms. */
export interface TimelineEntry {
  readonly id: string;
  readonly kind:
    | 'attempt'
    | 'step'
    | 'model_call'
    | 'model_switch'
    | 'tool_call'
    | 'approval'
    | 'wait'
    | 'webhook_delivery';
  readonly parentId: string | null;
  readonly label: string;
  /** A few words beside the label, such as a model or a worker. */
  readonly detail: string;
  readonly status: EntryStatus;
  readonly startedAt: number;
  /** Null while it goes on. */
  readonly finishedAt: number | null;
  /** Key of the step of the audit that it is; null for anything but a tool call. */
  readonly stepKey: string | null;
  /** Null for anything but a call of a pipeline itself. */
  readonly madeBy: MakingStep | null;
}
