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

/**
 * The id of a `log` event, a UUID of version 8 (RFC 9562): the same path in an execution always has the same id, so
 * that a worker that takes over can finish its predecessor's logs. Unique within its execution; not secret.
 *
 * @param path e.g. `round/2/call/0`
 */
export function logId(executionId: string, path: string): string {
  const hex = SEEDS.map((seed) => hash(seed, `${executionId}/${path}`).toString(16).padStart(8, '0')).join(
    '',
  );
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ].join('-');
}

const SEEDS = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b];

/** FNV-1a over UTF-16 code units, then mixed so that a difference at the end affects all bits. */
function hash(seed: number, text: string): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
