import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An index of `pgvector` over the vectors of one model and length, of all tenants. */
@Entity('vector_index')
export class VectorIndexEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'vector_index_pkey' })
  model!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'vector_index_pkey' })
  dimensions!: number;

  /** That were put into it; some may have been removed since. */
  @Column('bigint', { default: 0 })
  vectors!: string;
}
