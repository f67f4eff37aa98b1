import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { VersionedRow } from './versioned-row.js';

/** A model configuration that agents refer to: provider, model and default parameters. */
@Entity('llm')
@Index(['tenantId', 'id'])
export class LlmEntity extends VersionedRow {
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

  /** What the provider wants to know beside the key: base URL, organisation, timeout, retries (S1-8 … S1-11). */
  @Column('jsonb', { default: {} })
  credentials!: JsonObject;

  /** The provider's key, sealed; null means the key of the process. */
  @Column('text', { name: 'api_key_sealed', nullable: true })
  apiKeySealed!: string | null;

  /** The key's last four characters: all of it that is ever shown. */
  @Column('text', { name: 'api_key_hint', nullable: true })
  apiKeyHint!: string | null;

  /** The tenant's own prices; null means those of the catalogue. */
  @Column('jsonb', { nullable: true })
  pricing!: object | null;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;
}
