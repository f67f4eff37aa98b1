import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `pgvector` index over the vectors of one model and dimension, of all tenants. */
@Entity('vector_index')
export class VectorIndexEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'vector_index_pkey' })
  model!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'vector_index_pkey' })
  dimensions!: number;

  /** Number of vectors ever inserted; some may have been removed since. */
  @Column('bigint', { default: 0 })
  vectors!: string;
}
