import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Status of a key by the clock of the database. */
export const API_KEY_STATUS = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END`;

export const API_KEY_USE_IS_DUE = `coalesce(last_used_at < now() - interval '5 minutes', true)`;

/** API key of one tenant. Only a hash of the secret is stored; a fast hash suffices for a random 256-bit secret. */
@Entity('api_key')
@Index('api_key_created_idx', ['createdAt', 'id'])
export class ApiKeyEntity {
  /** Public part of the key. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  /** SHA-256 of the secret part, hexadecimal. */
  @Column('text', { name: 'secret_sha256' })
  secretSha256!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Key that created this one over HTTP; null if the command line did. */
  @Column('text', { name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Updated at most every five minutes. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** Key that replaced this one in a rotation. */
  @Column('text', { name: 'replaced_by', nullable: true })
  replacedBy!: string | null;

  @VirtualColumn({ type: 'text', query: () => API_KEY_STATUS })
  status!: ApiKeyStatus;

  /** Whether `last_used_at` is old enough for the next use to be recorded. */
  @VirtualColumn({ type: 'boolean', query: () => API_KEY_USE_IS_DUE })
  isUseDue!: boolean;
}
