import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** The live events of executions where no Redis is used. Unlogged: fast, and allowed to be lost. */
@Entity('execution_event')
export class ExecutionEventEntity {
  @PrimaryColumn('uuid', { name: 'execution_id' })
  executionId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text')
  event!: string;

  @Column('jsonb')
  data!: JsonObject;

  @Index()
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
