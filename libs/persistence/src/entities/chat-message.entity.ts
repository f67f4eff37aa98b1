import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import { ChatSessionEntity } from './chat-session.entity.js';

/** What a user sees of a conversation; `data` is S2's additionalData. Written only by a settling transaction. */
@Entity('chat_message')
@Index(['sessionId', 'turnNumber', 'ordinal'], { unique: true })
@Index('chat_message_system_idx', ['sessionId', 'turnNumber'], { where: `"role" = 'system'` })
export class ChatMessageEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @ForeignKey(() => ChatSessionEntity, { onDelete: 'CASCADE' })
  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('uuid', { name: 'execution_id', nullable: true })
  executionId!: string | null;

  @Column('integer', { name: 'turn_number' })
  turnNumber!: number;

  /** Its place within the turn, from 0. */
  @Column('integer')
  ordinal!: number;

  @Column('text')
  role!: 'system' | 'user' | 'assistant' | 'tool';

  @Column('text')
  content!: string;

  /** Whether there was more than is kept of one answer. */
  @Column('boolean', { default: false })
  truncated!: boolean;

  @Column('jsonb', { default: {} })
  data!: AdditionalData;

  /** As models read it in later turns; null where nobody has counted. */
  @Column('integer', { nullable: true })
  tokens!: number | null;

  /** Who counted. */
  @Column('text', { nullable: true })
  tokenizer!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
