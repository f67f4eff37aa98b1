import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type { ToolOverride, ToolServerLimits, ToolServerType } from '#libs/tooling';
import { TenantEntity } from './tenant.entity.js';
import { VersionedRow } from './versioned-row.js';

export const TOOL_SERVER_STATUSES = ['active', 'inactive'] as const;
export type ToolServerStatus = (typeof TOOL_SERVER_STATUSES)[number];

/** Tool server with tools that a tenant's agents may call (S4-8). */
@Entity('tool_server')
@Check('tool_server_status_check', `"status" IN ('active', 'inactive')`)
@Check('tool_server_type_check', `"type" IN ('http', 'sse', 'stdio', 'openapi', 'builtin')`)
@Index('tool_server_name_key', ['tenantId', 'name'], { unique: true })
@Index('tool_server_tenant_idx', ['tenantId', 'id'])
export class ToolServerEntity extends VersionedRow {
  /** UUID v7. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tool_server_pkey' })
  id!: string;

  @ForeignKey(() => TenantEntity, { onDelete: 'RESTRICT', name: 'tool_server_tenant_fkey' })
  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 32 })
  name!: string;

  @Column('text')
  type!: ToolServerType;

  @Column('text', { default: 'active' })
  status!: ToolServerStatus;

  /** Sealed texts of templates are replaced by null. */
  @Column('jsonb')
  config!: JsonObject;

  /** Sealed JSON: texts of templates without placeholders, by template and name. Null without any. */
  @Column('text', { name: 'literals_sealed', nullable: true })
  literalsSealed!: string | null;

  /** Overrides by the server's own tool names. */
  @Column('jsonb', { default: {} })
  tools!: Record<string, ToolOverride>;

  @Column('jsonb')
  limits!: ToolServerLimits;
}
