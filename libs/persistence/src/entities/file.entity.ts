import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/**
 * Immutable file uploaded by a tenant. Available until `expires_at`, which a deletion brings forward; its bytes stay
 * longer for executions accepted with it.
 */
@Entity('file')
@Index('file_tenant_idx', ['tenantId', 'id'])
@Index('file_media_type_idx', ['tenantId', 'mediaType', 'id'])
@Index('file_expiry_idx', ['expiresAt'])
@Index('file_idempotency_idx', ['tenantId', 'idempotencyKey'], {
  unique: true,
  where: '"idempotency_key" IS NOT NULL',
})
export class FileEntity {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'file_pkey' })
  id!: string;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'file_tenant_fkey' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 500 })
  name!: string;

  /** Media type detected from its bytes. */
  @Column('text', { name: 'media_type' })
  mediaType!: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes!: string;

  /** SHA-256. */
  @Column('bytea', { name: 'content_hash' })
  contentHash!: Buffer;

  @Column('text', { name: 'blob_key' })
  blobKey!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Idempotency key of the creating request; null without one. */
  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of that request, hexadecimal. */
  @Column('text', { name: 'request_sha256', nullable: true })
  requestSha256!: string | null;
}
