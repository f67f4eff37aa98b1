import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { ExecutionEntity } from './execution.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const;
/** `exhausted`: nothing is sent any more, since every attempt failed or the endpoint is disabled. */
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** One message to one endpoint, or to the webhook of one execution, with all its attempts. Its id and body never change. */
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
  /** `evt_…`: the `webhook-id` of every attempt; later ones sort after earlier ones. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null when it goes to the URL that came with the execution. */
  @ForeignKey(() => WebhookEndpointEntity, { onDelete: 'CASCADE' })
  @Column('integer', { name: 'endpoint_id', nullable: true })
  endpointId!: number | null;

  /**
   * Who is called, as far as load is concerned: `endpoint:<id>`, or scheme, host and port of the URL that came with the
   * execution. Requests at once and failures in a row are counted by tenant and receiver.
   */
  @Column('text', { default: '' })
  receiver!: string;

  @Index()
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'execution_id' })
  executionId!: string;

  @Column('text')
  type!: WebhookEventType;

  /** The exact text that is signed and sent. */
  @Column('text')
  body!: string;

  @Column('text', { default: 'pending' })
  status!: WebhookDeliveryStatus;

  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount!: number;

  /** How many attempts there were when it was last sent again by hand: the schedule counts from there. */
  @Column('integer', { name: 'attempts_before_redelivery', default: 0 })
  attemptsBeforeRedelivery!: number;

  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt!: Date;

  /** When its job was sent, then when it was claimed; null when nobody has it in hand. */
  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt!: Date | null;

  /** Whoever sends it holds it until then. */
  @Column('timestamptz', { name: 'lease_expires_at', nullable: true })
  leaseExpiresAt!: Date | null;

  /** The presence of the process that sends it now; null when nobody does. */
  @Column('text', { nullable: true })
  sender!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** The last success. */
  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;
}
