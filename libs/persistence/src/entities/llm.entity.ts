import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';

/** A model configuration that agents refer to: provider, model and default parameters. */
@Entity('llm')
@Index(['tenantId', 'id'])
export class LlmEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('text')
  provider!: string;

  /** The model's id as the provider knows it. */
  @Column('text')
  model!: string;

  @Column('jsonb', { default: {} })
  extra!: JsonObject;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
