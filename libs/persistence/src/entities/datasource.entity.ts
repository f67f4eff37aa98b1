import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';
import { LlmEntity } from './llm.entity.js';
import { TenantEntity } from './tenant.entity.js';
import { VersionedRow } from './versioned-row.js';

/** Set of a tenant's documents that are searched together, with the settings for chunks and vectors. */
@Entity('datasource')
@Index('datasource_name_key', ['tenantId', 'name'], { unique: true })
@Index('datasource_tenant_idx', ['tenantId', 'id'])
export class DatasourceEntity extends VersionedRow {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'datasource_pkey',
  })
  id!: number;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'datasource_tenant_fkey' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('varchar', { length: 1_000, default: '' })
  description!: string;

  /** Model configuration with the server and key for embedding calls. */
  @Index('datasource_llm_idx')
  @ForeignKey(() => LlmEntity, { onDelete: 'RESTRICT', name: 'datasource_llm_fkey' })
  @Column('integer', { name: 'llm_id' })
  llmId!: number;

  /** Embedding model, as the provider names it. Immutable, like `dimensions`. */
  @Column('text', { name: 'embed_model' })
  embedModel!: string;

  @Column('integer')
  dimensions!: number;

  /** Size of new chunks in tokens; existing chunks stay unchanged. */
  @Column('integer', { name: 'chunk_tokens' })
  chunkTokens!: number;

  @Column('integer', { name: 'overlap_tokens' })
  overlapTokens!: number;

  /** Number of its documents, ready or not. */
  @VirtualColumn({
    type: 'integer',
    query: (datasource) =>
      `SELECT count(*)::int FROM document WHERE document.datasource_id = ${datasource}.id`,
  })
  documentCount!: number;
}
