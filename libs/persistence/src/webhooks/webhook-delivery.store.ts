import type { DataSource } from 'typeorm';
import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import { classifyDatabaseError } from '../database-failure.js';
import type { StoredAnswer } from '../entities/webhook-attempt.entity.js';
import { queryRows } from '../sql.js';
import {
  BORN_SQL,
  CLAIM_DELIVERY_SQL,
  type ClaimedDelivery,
  type DeliveryTargetRow,
  toClaimedDelivery,
} from './claimed-delivery.js';
import { RECORD_FAILED_SQL, recordDeliveredSql } from './record-delivery-sql.js';
import { countFailure, type PauseAfter } from './webhook-breaker.js';

export type DeliveryVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }
  /** The receiver answered that it is gone permanently (410). */
  | { readonly kind: 'endpoint_disabled' };

export interface AttemptRecord {
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Null without a body. */
  readonly answer: StoredAnswer | null;
  readonly durationMs: number;
  /** Evidence about the receiver: working, failing, or none. */
  readonly receiver: 'works' | 'fails' | 'unknown';
}

export interface DeliveryClaimOptions {
  /** Presence of the sending process: its death makes the delivery due again. */
  readonly sender: string;
  readonly leaseMs: number;
  /** Maximum concurrent requests to one receiver, over all processes. */
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

/** Consequences of an attempt for other deliveries. */
export interface RecordOptions {
  readonly pauseAfter: PauseAfter;
  /** Maximum concurrent requests per tenant, over all processes. */
  readonly tenantConcurrency: number;
}

/** Successful attempt in the form that the statement reads. */
interface DeliveredRow {
  readonly id: string;
  readonly number: number;
  readonly status_code: number | null;
  readonly answer: StoredAnswer | null;
  readonly duration_ms: number;
  readonly attempted_at: Date;
  readonly tenant_concurrency: number;
}

/** Leases and results of webhook deliveries. */
export class WebhookDeliveryStore {
  private readonly delivered = new BatchExecutor<DeliveredRow, boolean>({
    runTogether: (rows) => this.recordTogether(rows),
    runAlone: async (row) => {
      const found = await this.recordDelivered([row], 'wait');
      return found.get(row.id) ?? false;
    },
    // Records are idempotent, so a failed batch may be repeated one by one, but not while the database is unavailable.
    mayRunAlone: (error) => classifyDatabaseError(error).kind !== 'outage',
    lanes: 1,
    defer: setImmediate,
  });
  private readonly unsent = new BatchExecutor<string, undefined>({
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
   * Leases a delivery for `leaseMs` milliseconds. Null if it is not due, not pending or leased; or, without counting an
   * attempt, if its receiver is paused or full. A delivery to a disabled endpoint is ended.
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
   * Records an attempt with its consequences and the receiver's state; successes share a statement. Returns whether
   * another delivery waits for the freed slot.
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
        answer: attempt.answer,
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
        attempt.answer === null ? null : JSON.stringify(attempt.answer),
      ]);
      if (attempt.receiver === 'fails') await countFailure(manager, delivery, delivery.now, pauseAfter);
    });
    return true;
  }

  /** Unrecorded deliveries that an execution leased to this process at their creation. */
  async findBorn(executionId: string, sender: string): Promise<ClaimedDelivery[]> {
    const rows = await queryRows<ClaimRow>(this.dataSource, BORN_SQL, [executionId, sender]);
    return rows.map(toClaimed);
  }

  /** Releases an unused inline lease: the delivery waits for the queue, and no attempt is counted. */
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

  /** Whether others wait, for each existing delivery without a concurrent writer. */
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

/** If a redelivery was requested in between, the attempt is already excluded from the schedule and its number is skipped. */
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
