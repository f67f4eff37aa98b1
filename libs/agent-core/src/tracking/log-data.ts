import type { JsonObject } from '#libs/kernel';

/** The data of a `log` event (3.E-2). Parts of a round have the round's log as their parent. */
export interface LogData<Data extends JsonObject = JsonObject> {
  readonly id: string;
  readonly label: string;
  readonly parent_id: string | null;
  readonly status: 'start' | 'success' | 'error';
  /** Safe to show; null unless `status` is `error`. */
  readonly error: string | null;
  readonly data: Data;
  readonly metadata: LogMetadata;
}

/** Times are seconds (3.E-3). A type and no interface, so that it passes as a JSON object. */
export type LogMetadata = {
  readonly started_at: number;
  readonly provider?: string;
  readonly finished_at?: number;
  readonly elapsed_time?: number;
  /** Null if no price is known. */
  readonly total_price?: string | null;
  readonly currency?: string;
  /** Null if the provider reported none. */
  readonly total_tokens?: number | null;
};

/** The end of a begun log. */
export interface LogEnding<Data extends JsonObject> {
  /** Milliseconds, by the same clock as the start. */
  readonly finishedAt: number;
  /** Safe to show; null on success. */
  readonly error: string | null;
  readonly data: Data;
  readonly metadata?: Partial<LogMetadata>;
}

/** Maximum characters of a label, which may contain a name that a model made up. */
const MAX_LABEL = 200;

/** @param startedAt milliseconds */
export function startLog(
  named: { readonly id: string; readonly label: string; readonly parentId: string | null },
  startedAt: number,
  metadata: Partial<LogMetadata> = {},
): LogData {
  return {
    id: named.id,
    label: named.label.slice(0, MAX_LABEL).toWellFormed(),
    parent_id: named.parentId,
    status: 'start',
    error: null,
    data: {},
    metadata: { started_at: startedAt / 1_000, ...metadata },
  };
}

/** The second and last event of a log, with the id, label, parent and metadata of its start (3.E-2). */
export function finishLog<Data extends JsonObject>(start: LogData, ending: LogEnding<Data>): LogData<Data> {
  const startedAt = Math.round(start.metadata.started_at * 1_000);
  const finishedAt = Math.max(ending.finishedAt, startedAt);
  return {
    ...start,
    status: ending.error === null ? 'success' : 'error',
    error: ending.error,
    data: ending.data,
    metadata: {
      ...start.metadata,
      finished_at: finishedAt / 1_000,
      elapsed_time: (finishedAt - startedAt) / 1_000,
      ...ending.metadata,
    },
  };
}
