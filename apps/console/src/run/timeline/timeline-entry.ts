export type EntryStatus = 'running' | 'waiting' | 'succeeded' | 'failed' | 'unknown' | 'skipped';

/** One bar of the waterfall. Times are Unix times in ms. */
export interface TimelineEntry {
  readonly id: string;
  readonly kind: 'attempt' | 'model_call' | 'tool_call' | 'approval' | 'wait' | 'webhook_delivery';
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
}
