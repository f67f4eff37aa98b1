import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { LlmEntity } from '../entities/llm.entity.js';
import { queryRows } from '../sql.js';
import type { StoredLlm } from './execution-context.store.js';

/** A model configuration as the API shows it: of the key only its last characters. */
export interface LlmView {
  readonly id: number;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly credentials: JsonObject;
  /** The last four characters of its own key; null when it uses the key of the process. */
  readonly api_key_hint: string | null;
  readonly extra: JsonObject;
  readonly pricing: object | null;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SealedKey {
  readonly sealed: string;
  readonly hint: string;
}

export interface LlmFields {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly credentials: JsonObject;
  readonly extra: JsonObject;
  readonly pricing: object | null;
  readonly is_active: boolean;
}

/** Seals a key for the configuration with this id; the id is part of what the seal is bound to. */
export type SealKey = (llmId: number) => SealedKey | null;

export type LlmDeletion = 'deleted' | 'not_found' | 'in_use';

/** SQLSTATE of a foreign key that would no longer hold; PostgreSQL 18 has its own for RESTRICT. */
const STILL_REFERRED_TO = new Set<unknown>(['23503', '23001']);

/** Model configurations of one tenant. */
export class LlmStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<LlmView[]> {
    const query = this.llms
      .createQueryBuilder('llm')
      .where('llm.tenantId = :tenantId', { tenantId })
      .andWhere('llm.id > :afterId', { afterId: page.afterId ?? 0 });
    return (await query.orderBy('llm.id').limit(page.limit).getMany()).map(toView);
  }

  async find(tenantId: string, id: number): Promise<LlmView | null> {
    const llm = await this.llms.findOneBy({ tenantId, id });
    return llm ? toView(llm) : null;
  }

  /** With its key still sealed. */
  async findSealed(tenantId: string, id: number): Promise<StoredLlm | null> {
    const llm = await this.llms.findOneBy({ tenantId, id });
    if (!llm) return null;
    const { provider, model, extra, credentials, apiKeySealed, pricing, isActive } = llm;
    return { id, tenantId, provider, model, extra, credentials, apiKeySealed, pricing, isActive };
  }

  async create(tenantId: string, fields: LlmFields, sealKey: SealKey): Promise<LlmView> {
    const [reserved] = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT nextval(pg_get_serial_sequence('llm', 'id'))::int AS id`,
    );
    const id = reserved?.id ?? 0;
    const llm = Object.assign(new LlmEntity(), { id, tenantId }, toColumns(fields), keyColumns(sealKey(id)));
    return toView(await this.llms.save(llm));
  }

  /** A key is replaced only when `sealKey` gives one. Answers null when there is no such configuration. */
  async update(
    tenantId: string,
    id: number,
    fields: Partial<LlmFields>,
    sealKey: SealKey,
  ): Promise<LlmView | null> {
    const llm = await this.llms.findOneBy({ tenantId, id });
    if (!llm) return null;
    return toView(await this.llms.save(Object.assign(llm, toColumns(fields), keyColumns(sealKey(id)))));
  }

  /** Refused while an agent refers to it. */
  async delete(tenantId: string, id: number): Promise<LlmDeletion> {
    try {
      const { affected } = await this.llms.delete({ tenantId, id });
      return (affected ?? 0) > 0 ? 'deleted' : 'not_found';
    } catch (error) {
      if (error instanceof Error && 'code' in error && STILL_REFERRED_TO.has(error.code)) return 'in_use';
      throw error;
    }
  }

  /** Seals every key anew that `reseal` answers a new text for, one by one. Answers how many. */
  async resealKeys(
    reseal: (sealed: string, tenantId: string, llmId: number) => string | null,
  ): Promise<number> {
    const rows = await queryRows<{ id: number; tenant_id: string; api_key_sealed: string }>(
      this.dataSource,
      `SELECT id, tenant_id, api_key_sealed FROM llm WHERE api_key_sealed IS NOT NULL ORDER BY id`,
    );
    let count = 0;
    for (const row of rows) {
      const sealed = reseal(row.api_key_sealed, row.tenant_id, row.id);
      if (sealed === null) continue;
      // Only if nobody replaced the key meanwhile.
      const done = await queryRows(
        this.dataSource,
        `UPDATE llm SET api_key_sealed = $2 WHERE id = $1 AND api_key_sealed = $3 RETURNING id`,
        [row.id, sealed, row.api_key_sealed],
      );
      count += done.length;
    }
    return count;
  }

  private get llms() {
    return this.dataSource.getRepository(LlmEntity);
  }
}

function toColumns({ is_active, ...same }: Partial<LlmFields>): Partial<LlmEntity> {
  return { ...same, ...(is_active !== undefined && { isActive: is_active }) };
}

function keyColumns(key: SealedKey | null): Partial<LlmEntity> {
  return key === null ? {} : { apiKeySealed: key.sealed, apiKeyHint: key.hint };
}

function toView(llm: LlmEntity): LlmView {
  return {
    id: llm.id,
    name: llm.name,
    provider: llm.provider,
    model: llm.model,
    credentials: llm.credentials,
    api_key_hint: llm.apiKeyHint,
    extra: llm.extra,
    pricing: llm.pricing,
    is_active: llm.isActive,
    created_at: llm.createdAt.toISOString(),
    updated_at: llm.updatedAt.toISOString(),
  };
}
