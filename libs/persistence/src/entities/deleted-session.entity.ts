import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Deleted session with data left outside the database (live events, files); the row holds only ids. */
@Entity('deleted_session')
export class DeletedSessionEntity {
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'deleted_session_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('uuid', { name: 'execution_ids', array: true })
  executionIds!: string[];

  /** Number of erasures; a second one runs later, for data that was still being written. */
  @Column('integer', { default: 0 })
  erasures!: number;

  @Index('deleted_session_due_idx')
  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;
}
