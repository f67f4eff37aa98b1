import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { AgentEntity } from './agent.entity.js';

/** A conversation. Its executions are turns, run one at a time in the order of their numbers. */
@Entity('chat_session')
@Index(['tenantId', 'id'])
export class ChatSessionEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  /** Null for conversations that no agent began (S3-5). */
  @ForeignKey(() => AgentEntity, { onDelete: 'SET NULL' })
  @Column('integer', { name: 'agent_id', nullable: true })
  agentId!: number | null;

  @Column('varchar', { length: 500, nullable: true })
  title!: string | null;

  /** Where the engine continues; null starts afresh (S4-34, S4-35). */
  @Column('text', { name: 'engine_session_id', nullable: true })
  engineSessionId!: string | null;

  /** The number that the next accepted execution gets. */
  @Column('integer', { name: 'next_turn', default: 1 })
  nextTurn!: number;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
