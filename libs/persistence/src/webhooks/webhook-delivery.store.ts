import type { DataSource } from 'typeorm';
import { Combiner, type BatchAnswer } from '#libs/concurrency';
import { judgeDatabaseError } from '../database-failure.js';
import { queryRows } from '../sql.js';
import { toClaimedDelivery, type ClaimedDelivery, type DeliveryTargetRow } from './claimed-delivery.js';
import { BORN_SQL, CLAIM_DELIVERY_SQL } from './claim-delivery-sql.js';
import { RECORD_FAILED_SQL, recordDeliveredSql } from './record-delivery-sql.js';
import { countFailure, type PauseAfter } from './webhook-breaker.js';

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }
  /** The receiver said that it is gone for good (410). */
  | { readonly kind: 'endpoint_disabled' };

export interface AttemptRecord {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** What the attempt says of the receiver: that it works, that it fails, or nothing. */
  readonly receiver: 'works' | 'fails' | 'unknown';
}

export interface DeliveryClaimOptions {
  /** Who sends, under its presence: when that process dies, the delivery is due again at once. */
  readonly sender: string;
  readonly leaseMs: number;
  /** Requests to one receiver at once, over all processes. */
  readonly receiverConcurrency: number;
}

interface ClaimRow extends DeliveryTargetRow {
  readonly decision: 'send' | 'hold' | 'give_up';
  readonly body: string;
  readonly attempt_count: number;
  readonly scheduled_attempt: number;
  readonly now: Date;
  readonly created_at: Date;
}

/** What follows from an attempt for others. */
export interface RecordOptions {
  readonly pauseAfter: PauseAfter;
  /** Requests of one tenant at once, over all processes. */
  readonly tenantConcurrency: number;
}

/** A success, as the statement reads it. */
interface DeliveredRow {
  readonly id: string;
  readonly number: number;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly attempted_at: Date;
  readonly tenant_concurrency: number;
}

/** Who sends a webhook delivery, and how it went. */
export class WebhookDeliveryStore {
  private readonly delivered = new Combiner<DeliveredRow, boolean>({
    runTogether: (rows) => this.recordTogether(rows),
    runAlone: async (row) => {
      const found = await this.recordDelivered([row], 'wait');
      return found.get(row.id) ?? false;
    },
    // Recording twice changes nothing, so what has landed may be repeated; not on a database that does not answer.
    mayRunAlone: (error) => judgeDatabaseError(error).kind !== 'outage',
    lanes: 1,
    defer: setImmediate,
  });
  private readonly unsent = new Combiner<string, undefined>({
    runTogether: (ids) => this.releaseTogether(ids),
    runAlone: async (id) => {
      await this.releaseTogether([id]);
    },
    mayRunAlone: () => false,
    lanes: 1,
    defer: setImmediate,
  });

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes the right to send one delivery for `leaseMs`; null when it is not due, not pending or somebody else sends it,
   * and when its receiver is paused or has enough requests: then it waits and no attempt is counted. One whose endpoint
   * is disabled by now is not sent any more.
   */
  async claim(
    id: string,
    { sender, leaseMs, receiverConcurrency }: DeliveryClaimOptions,
  ): Promise<ClaimedDelivery | null> {
    const claim = [id, leaseMs, receiverConcurrency, sender];
    const [row] = await queryRows<ClaimRow>(this.dataSource, CLAIM_DELIVERY_SQL, claim);
    return row?.decision === 'send' ? toClaimed(row) : null;
  }

  /**
   * Records the attempt, what follows from it and what it says of the receiver; successes together with others. Answers
   * whether somebody waits for the room that it leaves.
   */
  async record(
    delivery: ClaimedDelivery,
    attempt: AttemptRecord,
    verdict: DeliveryVerdict,
    { pauseAfter, tenantConcurrency }: RecordOptions,
  ): Promise<boolean> {
    if (verdict.kind === 'delivered') {
      return this.delivered.call({
        id: delivery.id,
        number: delivery.attempt,
        status_code: attempt.statusCode,
        duration_ms: attempt.durationMs,
        attempted_at: delivery.now,
        tenant_concurrency: tenantConcurrency,
      });
    }
    await this.dataSource.transaction(async (manager) => {
      await queryRows(manager, RECORD_FAILED_SQL, [
        delivery.id,
        delivery.attempt,
        attempt.statusCode,
        attempt.error,
        attempt.durationMs,
        verdict.kind === 'retry' ? 'pending' : 'exhausted',
        verdict.kind === 'retry' ? verdict.delayMs : 0,
        verdict.kind === 'endpoint_disabled',
        delivery.now,
      ]);
      if (attempt.receiver === 'fails') await countFailure(manager, delivery, delivery.now, pauseAfter);
    });
    return true;
  }

  /** What an execution has made and leased to this process, and nobody has recorded so far. */
  async findBorn(executionId: string, sender: string): Promise<ClaimedDelivery[]> {
    const rows = await queryRows<ClaimRow>(this.dataSource, BORN_SQL, [executionId, sender]);
    return rows.map(toClaimed);
  }

  /** Gives up a lease from birth that was not used: the delivery waits for its turn, and no attempt is counted. */
  async releaseUnsent(id: string): Promise<void> {
    await this.unsent.call(id);
  }

  private async recordTogether(rows: readonly DeliveredRow[]): Promise<BatchAnswer<boolean>[]> {
    const found = await this.recordDelivered(rows, rows.length === 1 ? 'wait' : 'skip');
    return rows.map(({ id }) => {
      const hasWaiting = found.get(id);
      if (hasWaiting !== undefined) return { kind: 'done', value: hasWaiting };
      return rows.length === 1 ? { kind: 'done', value: false } : { kind: 'alone' };
    });
  }

  /** Whether somebody waits, for each delivery that is there and that nobody else is writing. */
  private async recordDelivered(
    rows: readonly DeliveredRow[],
    whenLocked: 'wait' | 'skip',
  ): Promise<ReadonlyMap<string, boolean>> {
    const sql = recordDeliveredSql(whenLocked);
    const found = await queryRows<{ id: string; has_waiting: boolean }>(this.dataSource, sql, [
      JSON.stringify(rows),
    ]);
    return new Map(found.map((row) => [row.id, row.has_waiting]));
  }

  private async releaseTogether(ids: readonly string[]): Promise<BatchAnswer<undefined>[]> {
    await queryRows(this.dataSource, RELEASE_UNSENT_SQL, [ids]);
    return ids.map(() => ({ kind: 'done', value: undefined }));
  }
}

/** A redelivery that was asked for meanwhile has counted the attempt by then; there its number is left out. */
const RELEASE_UNSENT_SQL = `
  UPDATE webhook_delivery
     SET attempt_count = CASE WHEN attempts_before_redelivery < attempt_count THEN attempt_count - 1 ELSE attempt_count END,
         lease_expires_at = NULL, dispatched_at = NULL, sender = NULL
   WHERE id = ANY(ARRAY(SELECT id FROM webhook_delivery WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE))
     AND status = 'pending' AND dispatched_at = created_at
  RETURNING id`;

function toClaimed(row: ClaimRow): ClaimedDelivery {
  const {
    body,
    attempt_count: attempt,
    scheduled_attempt: scheduledAttempt,
    now,
    created_at: createdAt,
  } = row;
  return toClaimedDelivery(row, { body, attempt, scheduledAttempt, now, createdAt });
}
