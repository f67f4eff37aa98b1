import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';
import type { WebhookEventType } from '#libs/payloads';

/** Webhook endpoint of a tenant. */
@Entity('webhook_endpoint')
@Index(['tenantId', 'id'])
@Index('webhook_endpoint_name_key', ['tenantId', 'name'], { unique: true })
export class WebhookEndpointEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null for an endpoint that has an id only. */
  @Column('varchar', { length: 100, nullable: true })
  name!: string | null;

  @Column('text')
  url!: string;

  /** `whsec_…` (Standard Webhooks), sealed. */
  @Column('text', { name: 'secret_sealed' })
  secretSealed!: string;

  /** The secret before the last rotation, sealed: requests are signed with both until it expires. */
  @Column('text', { name: 'previous_secret_sealed', nullable: true })
  previousSecretSealed!: string | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt!: Date | null;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** End of the pause after too many consecutive failures; null without a pause. */
  @VirtualColumn({ type: 'timestamptz', query: pauseOf })
  pausedUntil!: Date | null;
}

function pauseOf(endpoint: string): string {
  return `SELECT paused_until FROM webhook_breaker breaker WHERE breaker.tenant_id = ${endpoint}.tenant_id
             AND breaker.receiver = 'endpoint:' || ${endpoint}.id AND breaker.paused_until > now()`;
}
