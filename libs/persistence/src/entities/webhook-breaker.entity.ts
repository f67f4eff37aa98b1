import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Circuit breaker of a failing receiver. The first success deletes it. */
@Entity('webhook_breaker')
export class WebhookBreakerEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'webhook_breaker_pkey' })
  tenantId!: string;

  /** Receiver of its deliveries. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_breaker_pkey' })
  receiver!: string;

  @Column('integer', { name: 'consecutive_failures' })
  consecutiveFailures!: number;

  /** End of the pause; afterwards one request at a time is sent. Null while failures are few. */
  @Column('timestamptz', { name: 'paused_until', nullable: true })
  pausedUntil!: Date | null;
}
