import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantSettings } from '#libs/policy';
import { VersionedRow } from './versioned-row.js';

export const TENANT_STATUSES = ['active', 'inactive'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** An organisation: whose agents, conversations and keys are its own. An inactive one runs nothing. */
@Entity('tenant')
@Check('tenant_status_check', `"status" IN ('active', 'inactive')`)
export class TenantEntity extends VersionedRow {
  /** What `tenant_id` of every other table holds. */
  @PrimaryColumn('text')
  id!: string;

  @Column('varchar', { length: 200 })
  name!: string;

  @Column('text', { default: 'active' })
  status!: TenantStatus;

  /** Stands before the prompt of each of its agents. */
  @Column('text', { name: 'system_prompt', nullable: true })
  systemPrompt!: string | null;

  @Column('jsonb', { default: {} })
  settings!: Partial<TenantSettings>;
}
