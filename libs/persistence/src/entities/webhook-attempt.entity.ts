import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';

/** An answer of a receiver as it is kept: cut, and without secrets. */
export interface StoredAnswer {
  /** The `content-type`; null without one. */
  readonly content_type: string | null;
  /** Beginning of the body; null if its bytes are no text in UTF-8. */
  readonly body: string | null;
  readonly truncated: boolean;
}

/** One attempt at a delivery: the response status, or the error. */
@Entity('webhook_attempt')
export class WebhookAttemptEntity {
  @ForeignKey(() => WebhookDeliveryEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('text', { name: 'delivery_id' })
  deliveryId!: string;

  /** From 1. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('integer', { name: 'status_code', nullable: true })
  statusCode!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  /** Beginning of what the receiver answered. Null without a body, and for attempts of older releases. */
  @Column('jsonb', { nullable: true })
  answer!: StoredAnswer | null;

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  /** Start time: the `webhook-timestamp` of its request. */
  @CreateDateColumn({ name: 'attempted_at', type: 'timestamptz' })
  attemptedAt!: Date;
}
