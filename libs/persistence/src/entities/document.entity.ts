import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DatasourceEntity } from './datasource.entity.js';
import { VersionedRow } from './versioned-row.js';

/** A document of a datasource. What it consists of is its generations: a replacement is a new one. */
@Entity('document')
@Index('document_tenant_idx', ['tenantId', 'id'])
@Index('document_datasource_idx', ['datasourceId', 'id'])
@Index('document_idempotency_idx', ['tenantId', 'idempotencyKey'], {
  unique: true,
  where: '"idempotency_key" IS NOT NULL',
})
export class DocumentEntity extends VersionedRow {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_pkey' })
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => DatasourceEntity, { onDelete: 'RESTRICT', name: 'document_datasource_fkey' })
  @Column('integer', { name: 'datasource_id' })
  datasourceId!: number;

  @Column('varchar', { length: 500 })
  title!: string;

  /** The newest one, whatever has become of it. */
  @Column('integer', { default: 1 })
  generation!: number;

  /** The one that is searched; null until the first is ready. */
  @Column('integer', { name: 'live_generation', nullable: true })
  liveGeneration!: number | null;

  /** What the request that made it can be repeated by; null where it named nothing. */
  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** What that request said: SHA-256, hexadecimal. */
  @Column('text', { name: 'request_sha256', nullable: true })
  requestSha256!: string | null;
}
