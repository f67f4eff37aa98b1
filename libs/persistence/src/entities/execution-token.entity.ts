import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ExecutionEntity } from './execution.entity.js';

/**
 * A secret that a request brought along, sealed to its execution and name. Deleted by the transaction that settles the
 * execution.
 */
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

  /** The end of its use: a day after its execution was accepted, or after the last moment for a decision over its calls. */
  @Index('execution_token_expiry_idx')
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
