import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';
import { ExecutionEntity } from './execution.entity.js';

/** Webhook of one execution. */
@Entity('execution_webhook')
export class ExecutionWebhookEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'execution_webhook_pkey' })
  executionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  url!: string;

  /** Receiver of its deliveries. */
  @Column('text')
  receiver!: string;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  /** False after a response 410. */
  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;
}
