import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** Live events of executions in installations without Redis. Unlogged: fast, and may be lost. */
@Entity('execution_event')
export class ExecutionEventEntity {
  @PrimaryColumn('uuid', { name: 'execution_id' })
  executionId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text')
  event!: string;

  /** Text as it was written: a late reader gets the bytes that a live one has got. */
  @Column('json')
  data!: JsonObject;

  @Index()
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
