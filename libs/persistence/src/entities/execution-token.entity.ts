import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/** Secret of a request, sealed for its execution and name. The transaction that settles the execution deletes it. */
@Entity('execution_token')
export class ExecutionTokenEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE', name: 'execution_token_execution_fkey' })
  @PrimaryColumn('uuid', { name: 'execution_id', primaryKeyConstraintName: 'execution_token_pkey' })
  executionId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'execution_token_pkey' })
  name!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('text')
  sealed!: string;

  /** Expiry: one day after the acceptance, or after the deadline for decisions on the execution's calls. */
  @Index('execution_token_expiry_idx')
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
