import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';

/** Tool call that has written a file of a workspace. A repetition of the call, or a late one, writes nothing. */
@Entity('workspace_write')
export class WorkspaceWriteEntity {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'workspace_write_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'workspace_write_pkey' })
  sessionId!: string;

  /** Idempotency key of the call. */
  @PrimaryColumn('text', { name: 'call_key', primaryKeyConstraintName: 'workspace_write_pkey' })
  callKey!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
