import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';

/** Where a customer wants to be told. */
@Entity('webhook_endpoint')
@Index(['tenantId', 'id'])
export class WebhookEndpointEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  url!: string;

  /** `whsec_…` (Standard Webhooks). */
  @Column('text')
  secret!: string;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
