import { MoreThan, type DataSource, type EntityManager, type Repository } from 'typeorm';
import type { StoredLlm } from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import type { ExecutionStatus } from '#libs/payloads';
import { AgentVersionEntity } from '../entities/agent-version.entity.js';
import { ExecutionEntity } from '../entities/execution.entity.js';
import { LlmEntity } from '../entities/llm.entity.js';
import { holdNewName, type Named } from './hold-new-name.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';
import { isReferredTo } from '../rows/sql-state.js';
import {
  changedView,
  changeVersioned,
  deleteVersioned,
  insertRow,
  versionedView,
} from '../rows/versioned-repository.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';

/** A model configuration as the API shows it, with the last characters of its key only. */
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

/** Seals a key for the configuration with this id, which the sealed text is bound to. */
export type SealKey = (llmId: number) => SealedKey | null;

export type LlmDeletion = 'deleted' | 'not_found' | 'other_version' | 'in_use';

const UNSETTLED: readonly ExecutionStatus[] = ['queued', 'running', 'requires_action'];

/** Model configurations of one tenant. */
export class LlmStore {
  private readonly llms: Repository<LlmEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.llms = dataSource.getRepository(LlmEntity);
  }

  /** Sorted by id, ascending. */
  async list(
    tenantId: string,
    { afterId = 0, limit }: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<LlmView>> {
    const llms = this.llms.createQueryBuilder('llm').where({ tenantId, id: MoreThan(afterId) });
    return mapRows(await readEntityPage(this.llms, llms, { orderBy: 'id', limit }), toView);
  }

  async find(tenantId: string, id: number): Promise<Versioned<LlmView> | null> {
    const llm = await this.llms.findOneBy({ tenantId, id });
    return llm && versionedView(llm, toView);
  }

  /** Finds a configuration with its sealed key. */
  async findSealed(tenantId: string, id: number): Promise<StoredLlm | null> {
    const llm = await this.llms.findOneBy({ tenantId, id });
    return llm && toStored(llm);
  }

  async findByName(tenantId: string, name: string): Promise<Named<Versioned<LlmView>>> {
    const [first, second] = await this.llms.find({ where: { tenantId, name }, take: 2 });
    if (first === undefined) return null;
    return second === undefined ? versionedView(first, toView) : 'ambiguous';
  }

  create(tenantId: string, fields: LlmFields, sealKey: SealKey): Promise<Versioned<LlmView>> {
    return this.dataSource.transaction((manager) => insertLlm(manager, tenantId, fields, sealKey));
  }

  /** Null where another configuration has the name. */
  createUnlessNamed(
    tenantId: string,
    fields: LlmFields,
    sealKey: SealKey,
  ): Promise<Versioned<LlmView> | null> {
    return this.dataSource.transaction(async (manager) =>
      (await holdNewName(manager, 'llm', tenantId, fields.name))
        ? insertLlm(manager, tenantId, fields, sealKey)
        : null,
    );
  }

  /** Changes the given fields only. The key is replaced if `sealKey` returns one, and removed if `dropsKey` is true. */
  async update(
    tenantId: string,
    id: number,
    { dropsKey = false, ...fields }: Partial<LlmFields> & { readonly dropsKey?: boolean },
    sealKey: SealKey,
    expected: ExpectedVersions = null,
  ): Promise<VersionedChange<LlmView>> {
    const key = sealKey(id) ?? (dropsKey ? { sealed: null, hint: null } : undefined);
    const values = { ...toValues(fields), apiKeySealed: key?.sealed, apiKeyHint: key?.hint };
    const change = await changeVersioned(this.llms, { tenantId, id }, values, expected);
    return changedView(change, toView);
  }

  /** `in_use`: an agent refers to it, or an unsettled execution runs a version that does. */
  async delete(tenantId: string, id: number, expected: ExpectedVersions = null): Promise<LlmDeletion> {
    try {
      if (await this.isPinned(tenantId, id)) return 'in_use';
      return await deleteVersioned(this.llms, { tenantId, id }, expected);
    } catch (error) {
      if (isReferredTo(error)) return 'in_use';
      throw error;
    }
  }

  /** True while an unsettled execution runs a version of an agent with it. */
  private isPinned(tenantId: string, llmId: number): Promise<boolean> {
    return this.dataSource
      .getRepository(AgentVersionEntity)
      .createQueryBuilder('pinned')
      .innerJoin(ExecutionEntity, 'e', 'e.agentId = pinned.agentId AND e.agentVersion = pinned.version')
      .where({ tenantId, llmId })
      .andWhere('e.status IN (:...unsettled)', { unsettled: UNSETTLED })
      .getExists();
  }

  /** Replaces each key that `reseal` returns a new text for. Returns their number. */
  async resealKeys(reseal: Reseal<LlmKeyOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', llmId: 'id' };
    const keys = { table: 'llm', column: 'api_key_sealed', owner, key: ['llmId'] } as const;
    return resealColumn<LlmKeyOwner>(this.dataSource, keys, reseal);
  }
}

interface LlmKeyOwner {
  readonly tenantId: string;
  readonly llmId: number;
}

async function insertLlm(
  manager: EntityManager,
  tenantId: string,
  fields: LlmFields,
  sealKey: SealKey,
): Promise<Versioned<LlmView>> {
  const llms = manager.getRepository(LlmEntity);
  const made = await insertRow(llms, { tenantId, ...toValues(fields) });
  const key = sealKey(made.id);
  if (key !== null) {
    made.apiKeySealed = key.sealed;
    made.apiKeyHint = key.hint;
    await llms.update({ id: made.id }, { apiKeySealed: key.sealed, apiKeyHint: key.hint });
  }
  return versionedView(made, toView);
}

function toValues({ is_active: isActive, ...fields }: Partial<LlmFields>) {
  return { ...fields, isActive };
}

function toView({ apiKeyHint, isActive, createdAt, updatedAt, ...llm }: LlmEntity): LlmView {
  const { id, name, provider, model, credentials, extra, pricing } = llm;
  return {
    ...{ id, name, provider, model, credentials, api_key_hint: apiKeyHint, extra, pricing },
    ...{ is_active: isActive, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  };
}

function toStored(llm: LlmEntity): StoredLlm {
  const { id, tenantId, provider, model, extra, credentials, apiKeySealed, pricing, isActive } = llm;
  return { id, tenantId, provider, model, extra, credentials, apiKeySealed, pricing, isActive };
}
