import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DatasourceEntity } from './datasource.entity.js';
import { VersionedRow } from './versioned-row.js';

/** Document of a datasource. Its content is in its generations: each replacement adds one. */
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

  /** Latest generation, in any state. */
  @Column('integer', { default: 1 })
  generation!: number;

  /** Generation that is searched; null until the first one is ready. */
  @Column('integer', { name: 'live_generation', nullable: true })
  liveGeneration!: number | null;

  /** Idempotency key of the creating request; null without one. */
  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of that request, hexadecimal. */
  @Column('text', { name: 'request_sha256', nullable: true })
  requestSha256!: string | null;
}
