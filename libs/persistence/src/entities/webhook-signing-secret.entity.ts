import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sealed secret that signs webhooks given with a tenant's executions. Endpoints have their own secrets. */
@Entity('webhook_signing_secret')
export class WebhookSigningSecretEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'webhook_signing_secret_pkey' })
  tenantId!: string;

  @Column('text', { name: 'secret_sealed' })
  secretSealed!: string;

  /** The secret before the last rotation, sealed: requests are signed with both until it expires. */
  @Column('text', { name: 'previous_secret_sealed', nullable: true })
  previousSecretSealed!: string | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt!: Date | null;
}
