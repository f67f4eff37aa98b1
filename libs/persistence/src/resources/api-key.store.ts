import { Any, type DataSource, type Repository } from 'typeorm';
import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import { hasDoneNothing } from '../database-failure.js';
import {
  API_KEY_STATUS,
  API_KEY_USE_IS_DUE,
  ApiKeyEntity,
  type ApiKeyStatus,
} from '../entities/api-key.entity.js';
import { toApiKeyView, type ApiKeyView } from './api-key-view.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';

/** Fields of a key that authenticate and authorize a request. */
export type StoredApiKey = Pick<ApiKeyEntity, 'tenantId' | 'secretSha256' | 'scopes' | 'isUseDue'>;

export interface ApiKeyFilter {
  /** All tenants when omitted. */
  readonly tenantId?: string | undefined;
  readonly status?: ApiKeyStatus | undefined;
  /** Lists only keys that were created before this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/** Finds the key of a request, and lists keys. */
export class ApiKeyStore {
  private readonly keys: Repository<ApiKeyEntity>;
  private readonly lookups: BatchExecutor<string, StoredApiKey | null>;

  constructor(dataSource: DataSource) {
    this.keys = dataSource.getRepository(ApiKeyEntity);
    this.lookups = new BatchExecutor<string, StoredApiKey | null>({
      runTogether: (ids) => this.findTogether(ids),
      runAlone: async (id) => (await this.readUsable([id])).get(id) ?? null,
      mayRunAlone: hasDoneNothing,
      defer: setImmediate,
    });
  }

  /**
   * Finds a key by its public part; null if it is unknown, revoked or expired. Nothing is cached: concurrent calls share one
   * statement, which begins after the calls.
   */
  find(id: string): Promise<StoredApiKey | null> {
    return this.lookups.call(id);
  }

  /** Filters keys that are neither revoked nor expired. */
  async filterUsable(ids: readonly string[]): Promise<Set<string>> {
    return new Set((await this.readUsable(ids)).keys());
  }

  /** Records the current time as its last use, at most once in five minutes. */
  async noteUse(id: string): Promise<void> {
    const use = this.keys
      .createQueryBuilder()
      .update()
      .set({ lastUsedAt: () => 'now()' });
    await use.where({ id }).andWhere(API_KEY_USE_IS_DUE).execute();
  }

  /** Sorted newest first. */
  async list({ tenantId, status, beforeId, limit }: ApiKeyFilter): Promise<RowsOfPage<ApiKeyView>> {
    const keys = this.keys.createQueryBuilder('key').where(tenantId === undefined ? {} : { tenantId });
    if (status !== undefined) keys.andWhere(`${API_KEY_STATUS} = :status`, { status });
    if (beforeId !== undefined) keys.andWhere(IS_BEFORE, { beforeId });
    const page = { orderBy: 'created_at DESC, id DESC', limit };
    return mapRows(await readEntityPage(this.keys, keys, page), toApiKeyView);
  }

  async read(id: string): Promise<ApiKeyView | null> {
    const key = await this.keys.findOneBy({ id });
    return key && toApiKeyView(key);
  }

  private async findTogether(ids: readonly string[]): Promise<BatchAnswer<StoredApiKey | null>[]> {
    const byId = await this.readUsable(ids);
    return ids.map((id) => ({ kind: 'done', value: byId.get(id) ?? null }));
  }

  private async readUsable(ids: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>> {
    const keys = await this.keys.findBy({ id: Any([...new Set(ids)]) });
    return new Map(keys.filter(({ status }) => status === 'active').map((key) => [key.id, key]));
  }
}

const IS_BEFORE = `(key.created_at, key.id) < (SELECT created_at, id FROM api_key WHERE id = :beforeId)`;
