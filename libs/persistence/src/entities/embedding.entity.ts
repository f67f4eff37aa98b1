import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { LlmEntity } from './llm.entity.js';

/** The vector of a text for one model; chunks of a tenant that say the same share it, so nothing is embedded twice. */
@Entity('embedding')
@Index('embedding_content_idx', ['tenantId', 'contentHash'])
@Index('embedding_unindexed_idx', ['model', 'dimensions', 'tenantId', 'llmId'], { where: 'NOT "is_indexed"' })
export class EmbeddingEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'embedding_pkey' })
  tenantId!: string;

  /** Servers may have different models of one name. */
  @Index('embedding_llm_idx')
  @ForeignKey(() => LlmEntity, { onDelete: 'CASCADE', name: 'embedding_llm_fkey' })
  @PrimaryColumn('integer', { name: 'llm_id', primaryKeyConstraintName: 'embedding_pkey' })
  llmId!: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'embedding_pkey' })
  model!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'embedding_pkey' })
  dimensions!: number;

  @PrimaryColumn('bytea', { name: 'content_hash', primaryKeyConstraintName: 'embedding_pkey' })
  contentHash!: Buffer;

  /** Of unit length: 16-bit floats (IEEE 754), little-endian, one after the other. */
  @Column('bytea')
  vector!: Buffer;

  /** Whether it stands in an index of `pgvector`, too. */
  @Column('boolean', { name: 'is_indexed', default: false })
  isIndexed!: boolean;
}
