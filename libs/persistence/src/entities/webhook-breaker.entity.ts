import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A receiver that fails. Its first success removes the row. */
@Entity('webhook_breaker')
export class WebhookBreakerEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'webhook_breaker_pkey' })
  tenantId!: string;

  /** As of its deliveries. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_breaker_pkey' })
  receiver!: string;

  @Column('integer', { name: 'consecutive_failures' })
  consecutiveFailures!: number;

  /** Nothing is sent before, and one request at a time after. Null while the failures are few. */
  @Column('timestamptz', { name: 'paused_until', nullable: true })
  pausedUntil!: Date | null;
}
