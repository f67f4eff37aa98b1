import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';

/** One try of a delivery: the answer's status, or why there was none. */
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

  /** When it began: the `webhook-timestamp` of its request. */
  @CreateDateColumn({ name: 'attempted_at', type: 'timestamptz' })
  attemptedAt!: Date;
}
