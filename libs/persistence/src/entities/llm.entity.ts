import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { VersionedRow } from './versioned-row.js';

/** Model configuration for agents: provider, model and default parameters. */
@Entity('llm')
@Index(['tenantId', 'id'])
@Index('llm_name_idx', ['tenantId', 'name'])
export class LlmEntity extends VersionedRow {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column('text', { name: 'tenant_id' })
  tenantId!: string;

  @Column('varchar', { length: 100 })
  name!: string;

  @Column('text')
  provider!: string;

  /** Id of the model at the provider. */
  @Column('text')
  model!: string;

  @Column('jsonb', { default: {} })
  extra!: JsonObject;

  /** Connection settings beside the key: base URL, organisation, timeout, retries (S1-8 … S1-11). */
  @Column('jsonb', { default: {} })
  credentials!: JsonObject;

  /** Key for the provider, sealed; null uses the key of the process. */
  @Column('text', { name: 'api_key_sealed', nullable: true })
  apiKeySealed!: string | null;

  /** Last four characters of the key, the only part that is ever shown. */
  @Column('text', { name: 'api_key_hint', nullable: true })
  apiKeyHint!: string | null;

  /** The tenant's own prices; null uses the catalogue's. */
  @Column('jsonb', { nullable: true })
  pricing!: object | null;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;
}
