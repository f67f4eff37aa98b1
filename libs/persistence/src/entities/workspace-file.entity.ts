import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { ChatSessionEntity } from './chat-session.entity.js';

/** File in the workspace of a session. Written by clients and by tools. */
@Entity('workspace_file')
@Index('workspace_file_tenant_idx', ['tenantId', 'sizeBytes'])
export class WorkspaceFileEntity {
  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE', name: 'workspace_file_session_fkey' })
  @PrimaryColumn('uuid', { name: 'session_id', primaryKeyConstraintName: 'workspace_file_pkey' })
  sessionId!: string;

  /** Relative path, with `/` between folders. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'workspace_file_pkey' })
  path!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('integer', { name: 'size_bytes' })
  sizeBytes!: number;

  /** SHA-256. */
  @Column('bytea', { name: 'content_hash' })
  contentHash!: Buffer;

  @Column('bytea')
  content!: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
