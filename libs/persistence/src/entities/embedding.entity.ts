import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { LlmEntity } from './llm.entity.js';

/** Vector of a text for one model; equal chunks of a tenant share it, so that no text is embedded twice. */
@Entity('embedding')
@Index('embedding_content_idx', ['tenantId', 'contentHash'])
@Index('embedding_unindexed_idx', ['model', 'dimensions', 'tenantId', 'llmId'], { where: 'NOT "is_indexed"' })
export class EmbeddingEntity {
  @PrimaryColumn('text', { name: 'tenant_id', primaryKeyConstraintName: 'embedding_pkey' })
  tenantId!: string;

  /** Part of the key, because different servers may use the same model name. */
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

  /** Unit vector of 16-bit floats (IEEE 754), little-endian. */
  @Column('bytea')
  vector!: Buffer;

  /** True once the vector is in a `pgvector` index. */
  @Column('boolean', { name: 'is_indexed', default: false })
  isIndexed!: boolean;
}
