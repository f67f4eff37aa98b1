import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { ExecutionEntity } from './execution.entity.js';

/** One fact of an execution. Append-only; the primary key decides between concurrent writers. */
@Entity('journal_entry')
@Index('journal_entry_decision_idx', ['executionId', 'sequence'], {
  where: `"kind" IN ('approval_decided', 'outcome_reported')`,
})
export class JournalEntryEntity {
  @ForeignKey(() => ExecutionEntity, { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'execution_id' })
  executionId!: string;

  /** From 1, without gaps. */
  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('integer')
  epoch!: number;

  /** Vocabulary version; readers support every version ever written. */
  @Column('smallint', { default: 1 })
  version!: number;

  @Column('text')
  kind!: string;

  /** Loop of the execution that the fact belongs to; `''` is the root. */
  @Column('text', { default: '' })
  scope!: string;

  @Column('jsonb')
  data!: JsonObject;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
