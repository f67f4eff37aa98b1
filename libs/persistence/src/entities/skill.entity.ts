import {
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { TenantEntity } from './tenant.entity.js';

/** A named instruction document of a tenant: models see name and description, and read the content when they need it. */
@Entity('skill')
@Index('skill_name_key', ['tenantId', 'name'], { unique: true })
export class SkillEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 200 })
  name!: string;

  @Column('varchar', { length: 1_000 })
  description!: string;

  @Column('text')
  content!: string;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  /** Counts the changes; what an `ETag` holds. */
  @Column('integer', { default: 1 })
  version!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
