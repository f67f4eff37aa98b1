import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { ExecutionEntity } from './execution.entity.js';

/** Where a customer wants to be notified of one execution. */
@Entity('execution_webhook')
export class ExecutionWebhookEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'execution_webhook_pkey' })
  executionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  url!: string;

  /** As of its deliveries. */
  @Column('text')
  receiver!: string;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  /** False once it has answered 410. */
  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;
}
