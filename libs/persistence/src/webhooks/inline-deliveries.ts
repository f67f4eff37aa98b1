import { toClaimedDelivery, type ClaimedDelivery, type DeliveryTargetRow } from './claimed-delivery.js';

/** Offer of a process to send its transaction's new deliveries inline, in the form that the statement reads. */
export interface InlineDeliveryOffer {
  /** Presence of the sending process: its death makes the delivery due again. */
  readonly sender: string;
  /** Maximum number of deliveries. */
  readonly room: number;
  readonly lease_ms: number;
  /** Maximum concurrent requests per tenant, over all processes. */
  readonly tenant_concurrency: number;
  /**
   * Milliseconds after its registration in which a worker has no share of a receiver while other workers run: they may
   * still use all of it.
   */
  readonly newcomer_ms: number;
}

/** Position of a worker among the workers that run executions; it determines the worker's share of each receiver's limit. */
export interface WorkerStanding {
  readonly workers: number;
  /** From 0. */
  readonly place: number;
  /** Time of the database; the later of two standings is valid. */
  readonly seenAt: Date;
}

/** Result of an offer. */
export interface InlineDeliveries {
  /** Deliveries leased to this process, with the first attempt counted; sent after the commit. */
  readonly leased: readonly ClaimedDelivery[];
  /** Null if the transaction did not read it. */
  readonly standing: WorkerStanding | null;
  /** True if other deliveries wait for the queue. */
  readonly hasWaiting: boolean;
}

const NO_BIRTHS: InlineDeliveries = { leased: [], standing: null, hasWaiting: false };

/** Columns that a statement returns for each created delivery, see {@link InlineDeliveryRow}. */
export const INLINE_DELIVERY_COLUMNS = `id, execution_id, tenant_id, endpoint_id, receiver, url, secret_sealed, previous_secret_sealed,
         is_born_leased, now, workers, place`;

/** Created delivery as the statement returns it. */
export interface InlineDeliveryRow extends DeliveryTargetRow {
  readonly execution_id: string;
  readonly is_born_leased: boolean | null;
  /** A string if it comes from JSON. */
  readonly now: Date | string;
  readonly workers: number | null;
  readonly place: number | null;
}

/** @param bodyOf body of an execution's deliveries, which the caller has sent to the database */
export function toInlineDeliveries(
  rows: readonly InlineDeliveryRow[],
  bodyOf: (executionId: string) => string,
): InlineDeliveries {
  const [first] = rows;
  if (!first) return NO_BIRTHS;
  const { workers, place, now } = first;
  const leased = rows.filter((row) => row.is_born_leased === true);
  return {
    leased: leased.map((row) => toDelivery(row, bodyOf(row.execution_id))),
    standing: workers === null || place === null ? null : { workers, place, seenAt: new Date(now) },
    hasWaiting: leased.length < rows.length,
  };
}

function toDelivery(row: InlineDeliveryRow, body: string): ClaimedDelivery {
  const now = new Date(row.now);
  return toClaimedDelivery(row, { body, attempt: 1, scheduledAttempt: 1, now, createdAt: now });
}

/** Sender of deliveries that are leased at their creation. */
export interface InlineDeliveryRoom {
  /**
   * Reserves slots for a transaction's deliveries until it commits or is abandoned.
   * @param executions number of executions that it ends or parks
   */
  open(executions: number): OpenOffer;
  /** Sends the leased deliveries of a transaction that committed without a response. Never throws. */
  adopt(executionId: string): void;
}

export interface OpenOffer {
  /** Null if this process cannot send inline at present. */
  readonly offer: InlineDeliveryOffer | null;
  commit(inlineDeliveries: readonly InlineDeliveries[]): void;
  /**
   * Frees the slots of a transaction without a known result. Existing deliveries are adopted, or due again when their
   * lease has expired.
   */
  abandon(): void;
}

/** Room of a process without inline delivery: all deliveries use the queue. */
export const NO_INLINE_DELIVERY_ROOM: InlineDeliveryRoom = {
  open: () => ({ offer: null, commit: () => undefined, abandon: () => undefined }),
  adopt: () => undefined,
};

/** Runs a transaction that may lease new deliveries to this process, and sends them after the commit. */
export async function offering<T>(
  room: InlineDeliveryRoom,
  executions: number,
  run: (
    offer: InlineDeliveryOffer | null,
  ) => Promise<{ readonly answer: T; readonly inlineDeliveries: readonly InlineDeliveries[] }>,
): Promise<T> {
  const opened = room.open(executions);
  try {
    const { answer, inlineDeliveries } = await run(opened.offer);
    opened.commit(inlineDeliveries);
    return answer;
  } catch (error) {
    opened.abandon();
    throw error;
  }
}
