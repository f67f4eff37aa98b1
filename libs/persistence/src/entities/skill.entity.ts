import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TenantEntity } from './tenant.entity.js';
import { VersionedRow } from './versioned-row.js';

/** Named instruction document of a tenant: models see name and description, and read the content on demand. */
@Entity('skill')
@Index('skill_name_key', ['tenantId', 'name'], { unique: true })
export class SkillEntity extends VersionedRow {
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
}
