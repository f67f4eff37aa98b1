import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A session that is gone, until what lies outside of the database is erased too: live events and files. Ids only. */
@Entity('deleted_session')
export class DeletedSessionEntity {
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'deleted_session_pkey' })
  sessionId!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('uuid', { name: 'execution_ids', array: true })
  executionIds!: string[];

  /** How often it was erased: a second time after a while, for what was still being written. */
  @Column('integer', { default: 0 })
  erasures!: number;

  @Index('deleted_session_due_idx')
  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;
}
