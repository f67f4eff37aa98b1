import { toClaimedDelivery, type ClaimedDelivery, type DeliveryTargetRow } from './claimed-delivery.js';

/** What a process offers to send by itself of the deliveries that its transaction makes; as the statement reads it. */
export interface BirthOffer {
  /** Who sends, under its presence: when that process dies, the delivery is due again at once. */
  readonly sender: string;
  /** Deliveries at most. */
  readonly room: number;
  readonly lease_ms: number;
  /** Requests of one tenant at once, over all processes. */
  readonly tenant_concurrency: number;
  /** For so long after its announcement a worker that is not alone has no share: the others may still use all of it. */
  readonly newcomer_ms: number;
}

/** Where a worker stands among those that run executions: its share of what a receiver gets at once follows from it. */
export interface WorkerStanding {
  readonly workers: number;
  /** From 0. */
  readonly place: number;
  /** By the database: of two standings the later one holds. */
  readonly seenAt: Date;
}

/** What became of an offer. */
export interface Births {
  /** Leased to this process, the first attempt counted; to be sent when the transaction has committed. */
  readonly leased: readonly ClaimedDelivery[];
  /** Null where the transaction has not asked. */
  readonly standing: WorkerStanding | null;
  /** Whether there are deliveries that wait for their turn. */
  readonly hasWaiting: boolean;
}

const NO_BIRTHS: Births = { leased: [], standing: null, hasWaiting: false };

/** Of a delivery that was made, what a statement answers: see {@link BirthRow}. */
export const BIRTH_COLUMNS = `id, execution_id, tenant_id, endpoint_id, receiver, url, secret_sealed, previous_secret_sealed,
         is_born_leased, now, workers, place`;

/** A delivery that was made, in the words of the statement. */
export interface BirthRow extends DeliveryTargetRow {
  readonly execution_id: string;
  readonly is_born_leased: boolean | null;
  /** A text where it comes as JSON. */
  readonly now: Date | string;
  readonly workers: number | null;
  readonly place: number | null;
}

/** @param bodyOf the body of an execution's deliveries, which the caller has sent to the database */
export function toBirths(rows: readonly BirthRow[], bodyOf: (executionId: string) => string): Births {
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

function toDelivery(row: BirthRow, body: string): ClaimedDelivery {
  const now = new Date(row.now);
  return toClaimedDelivery(row, { body, attempt: 1, scheduledAttempt: 1, now, createdAt: now });
}

/** Who sends what is leased at birth. */
export interface BirthRoom {
  /** Holds room for what a transaction makes, until it is committed or abandoned. @param executions that it ends or parks */
  open(executions: number): OpenOffer;
  /** A transaction without an answer has committed: what it has leased to this process goes out. Never throws. */
  adopt(executionId: string): void;
}

export interface OpenOffer {
  /** Null while nothing can be sent from here. */
  readonly offer: BirthOffer | null;
  commit(births: readonly Births[]): void;
  /** Nothing is known to be there. What is there all the same is adopted, or due again when its lease has lapsed. */
  abandon(): void;
}

/** Of a process that sends nothing: all deliveries wait for their turn. */
export const NO_BIRTH_ROOM: BirthRoom = {
  open: () => ({ offer: null, commit: () => undefined, abandon: () => undefined }),
  adopt: () => undefined,
};

/** Runs a transaction that may lease what it makes; what it has leased goes out when it has committed. */
export async function offering<T>(
  room: BirthRoom,
  executions: number,
  run: (offer: BirthOffer | null) => Promise<{ readonly answer: T; readonly births: readonly Births[] }>,
): Promise<T> {
  const opened = room.open(executions);
  try {
    const { answer, births } = await run(opened.offer);
    opened.commit(births);
    return answer;
  } catch (error) {
    opened.abandon();
    throw error;
  }
}
