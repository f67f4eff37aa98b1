import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DatasourceEntity } from './datasource.entity.js';
import { VersionedRow } from './versioned-row.js';

/** A document of a datasource. What it consists of is its generations: a replacement is a new one. */
@Entity('document')
@Index('document_tenant_idx', ['tenantId', 'id'])
@Index('document_datasource_idx', ['datasourceId', 'id'])
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
}
