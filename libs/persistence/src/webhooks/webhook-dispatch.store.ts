import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Delivery that is due. */
export interface DueDelivery {
  readonly id: string;
}

export interface DeliveryDispatchOptions {
  /** Maximum jobs in the queue; a short queue keeps the order fair and the database authoritative. */
  readonly queueTarget: number;
  /** Time after which an unclaimed job counts as lost and is sent again, in milliseconds. */
  readonly redispatchAfterMs: number;
  /** Maximum concurrent requests to one receiver. */
  readonly receiverConcurrency: number;
  /** Maximum concurrent requests per tenant, so that its slow receivers leave capacity for other tenants. */
  readonly tenantConcurrency: number;
}

/** Selects deliveries that can be sent now, in fair order over tenants and each tenant's receivers. */
export class WebhookDispatchStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks the selected deliveries as sent to the queue and returns them. Any number of processes may call it at once. */
  async take(options: DeliveryDispatchOptions): Promise<DueDelivery[]> {
    const rows = await queryRows<{ id: string }>(this.dataSource, TAKE_SQL, [
      options.queueTarget,
      options.redispatchAfterMs,
      options.receiverConcurrency,
      options.tenantConcurrency,
    ]);
    return rows.map(({ id }) => ({ id }));
  }

  /** Makes deliveries due again at once after their jobs could not be sent. */
  async requeue(due: readonly DueDelivery[]): Promise<void> {
    const ids = due.map((delivery) => delivery.id);
    await queryRows(
      this.dataSource,
      `UPDATE webhook_delivery SET dispatched_at = NULL
        WHERE id = ANY($1) AND (lease_expires_at IS NULL OR lease_expires_at < now()) RETURNING id`,
      [ids],
    );
  }
}

/** A process is sending it now. */
const LEASED = `lease_expires_at > now()`;
/** The job was sent recently and may still be in the queue. */
const SENT = `dispatched_at > now() - $2 * interval '1 millisecond'`;
const DUE = `delivery.status = 'pending' AND delivery.next_attempt_at <= now()
  AND (delivery.dispatched_at IS NULL OR NOT delivery.${SENT})
  AND (delivery.lease_expires_at IS NULL OR NOT delivery.${LEASED})`;

/**
 * Selects at most the free requests of each receiver, one after a pause, none during a pause; then round-robin over each
 * tenant's receivers and over tenants, those with the fewest requests first. An index skip scan finds the receivers, so
 * that one receiver's long backlog is not read.
 */
const TAKE_SQL = `
  WITH RECURSIVE in_flight AS (
    SELECT tenant_id, receiver, count(*)::int AS requests, count(*) FILTER (WHERE (${LEASED}) IS NOT TRUE)::int AS waiting
      FROM webhook_delivery
     WHERE status = 'pending' AND dispatched_at IS NOT NULL AND (${SENT} OR ${LEASED})
     GROUP BY tenant_id, receiver
  ), tenants AS (
    SELECT tenant_id, sum(requests)::int AS requests FROM in_flight GROUP BY tenant_id
  ), receivers AS (
    (SELECT tenant_id, receiver FROM webhook_delivery WHERE status = 'pending' ORDER BY tenant_id, receiver LIMIT 1)
    UNION ALL
    SELECT next.* FROM receivers CROSS JOIN LATERAL (
      SELECT tenant_id, receiver FROM webhook_delivery delivery
       WHERE status = 'pending' AND (delivery.tenant_id, delivery.receiver) > (receivers.tenant_id, receivers.receiver)
       ORDER BY tenant_id, receiver LIMIT 1
    ) next
  ), by_receiver AS (
    SELECT head.*, receivers.tenant_id, row_number() OVER (
             PARTITION BY receivers.tenant_id ORDER BY coalesce(in_flight.requests, 0) + head.place, head.next_attempt_at, head.id
           ) AS place_in_tenant
      FROM receivers
      LEFT JOIN in_flight USING (tenant_id, receiver)
      LEFT JOIN webhook_breaker breaker USING (tenant_id, receiver)
      CROSS JOIN LATERAL (
        SELECT delivery.id, delivery.next_attempt_at,
               row_number() OVER (ORDER BY delivery.next_attempt_at, delivery.id) AS place
          FROM webhook_delivery delivery
         WHERE delivery.tenant_id = receivers.tenant_id AND delivery.receiver = receivers.receiver AND ${DUE}
         ORDER BY delivery.next_attempt_at, delivery.id
         LIMIT greatest(0, CASE WHEN breaker.paused_until IS NULL THEN $3::int ELSE 1 END - coalesce(in_flight.requests, 0))
      ) head
     WHERE breaker.paused_until IS NULL OR breaker.paused_until <= now()
  ), chosen AS (
    SELECT id FROM by_receiver LEFT JOIN tenants USING (tenant_id)
     WHERE coalesce(tenants.requests, 0) + place_in_tenant <= $4::int
     ORDER BY coalesce(tenants.requests, 0) + place_in_tenant, next_attempt_at, id
     LIMIT greatest(0, $1::int - (SELECT coalesce(sum(waiting), 0)::int FROM in_flight))
  ), locked AS (
    SELECT delivery.id FROM webhook_delivery delivery JOIN chosen USING (id) WHERE ${DUE}
       FOR UPDATE OF delivery SKIP LOCKED
  )
  UPDATE webhook_delivery delivery SET dispatched_at = now() FROM locked WHERE delivery.id = locked.id
  RETURNING delivery.id`;
