import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { AdditionalData } from '#libs/payloads';
import { ChatSessionEntity } from './chat-session.entity.js';

/** Message of a conversation as users see it; `data` is S2's additionalData. Written only by a settling transaction. */
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

  /** Position within the turn, from 0. */
  @Column('integer')
  ordinal!: number;

  @Column('text')
  role!: 'system' | 'user' | 'assistant' | 'tool';

  @Column('text')
  content!: string;

  /** True if the answer exceeded the stored length. */
  @Column('boolean', { default: false })
  truncated!: boolean;

  @Column('jsonb', { default: {} })
  data!: AdditionalData;

  /** Tokens of the message in later prompts; null if not counted. */
  @Column('integer', { nullable: true })
  tokens!: number | null;

  /** Name of the tokenizer that counted them. */
  @Column('text', { nullable: true })
  tokenizer!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
