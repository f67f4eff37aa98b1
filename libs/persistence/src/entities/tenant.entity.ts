import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantSettings } from '#libs/policy';
import { VersionedRow } from './versioned-row.js';

export const TENANT_STATUSES = ['active', 'inactive'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** Organisation that owns agents, conversations and keys. An inactive one runs no executions. */
@Entity('tenant')
@Check('tenant_status_check', `"status" IN ('active', 'inactive')`)
export class TenantEntity extends VersionedRow {
  /** Value of `tenant_id` in all other tables. */
  @PrimaryColumn('text')
  id!: string;

  @Column('varchar', { length: 200 })
  name!: string;

  @Column('text', { default: 'active' })
  status!: TenantStatus;

  /** Precedes the prompt of each of its agents. */
  @Column('text', { name: 'system_prompt', nullable: true })
  systemPrompt!: string | null;

  @Column('jsonb', { default: {} })
  settings!: Partial<TenantSettings>;
}
