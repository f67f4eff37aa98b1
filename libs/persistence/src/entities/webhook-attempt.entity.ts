import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';

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

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  /** Start time: the `webhook-timestamp` of its request. */
  @CreateDateColumn({ name: 'attempted_at', type: 'timestamptz' })
  attemptedAt!: Date;
}
