import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WebhookDeliveryType } from '#libs/payloads';
import { ExecutionEntity } from './execution.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
/** `exhausted`: no further attempts, because all failed or the endpoint is disabled. */
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** One message to an endpoint, or to the webhook of one execution, with its attempts. Id and body never change. */
@Entity('webhook_delivery')
@Index('webhook_delivery_tenant_idx', ['tenantId', 'id'])
@Index('webhook_delivery_endpoint_idx', ['endpointId', 'id'])
@Index('webhook_delivery_status_idx', ['tenantId', 'status', 'id'], {
  where: `"status" IN ('delivered', 'exhausted')`,
})
@Index('webhook_delivery_pending_idx', ['tenantId', 'receiver', 'nextAttemptAt'], {
  where: `"status" = 'pending'`,
})
@Index('webhook_delivery_in_flight_idx', ['tenantId', 'receiver'], {
  where: `"status" = 'pending' AND "dispatched_at" IS NOT NULL`,
})
export class WebhookDeliveryEntity {
  /** `evt_…`: the `webhook-id` of every attempt; sorts by creation. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null for the URL given with the execution. */
  @ForeignKey(() => WebhookEndpointEntity, { onDelete: 'CASCADE' })
  @Column('integer', { name: 'endpoint_id', nullable: true })
  endpointId!: number | null;

  /**
   * Unit of load control: `endpoint:<id>`, or scheme, host and port of the URL given with the execution. Concurrent
   * requests and consecutive failures are counted by tenant and receiver.
   */
  @Column('text', { default: '' })
  receiver!: string;

  /** Null for a test event. */
  @Index()
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'execution_id', nullable: true })
  executionId!: string | null;

  @Column('text')
  type!: WebhookDeliveryType;

  /** The exact text that is signed and sent. */
  @Column('text')
  body!: string;

  @Column('text', { default: 'pending' })
  status!: WebhookDeliveryStatus;

  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount!: number;

  /** Attempt count at the last manual redelivery: the retry schedule starts there. */
  @Column('integer', { name: 'attempts_before_redelivery', default: 0 })
  attemptsBeforeRedelivery!: number;

  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt!: Date;

  /** Time at which its job was sent or claimed; null if neither. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** End of the current sender's lease. */
  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;

  /** Presence of the sending process; null without one. */
  @Column('text', { nullable: true })
  sender!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Time of the last success. */
  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;
}
