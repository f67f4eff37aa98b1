import type { DataSource, EntityManager, Repository } from 'typeorm';
import { AppError } from '#libs/kernel';
import { readTenantSettings, type TenantSettings } from '#libs/policy';
import { TenantEntity, type TenantStatus } from '../entities/tenant.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import {
  changedView,
  changeVersioned,
  insertUnlessTaken,
  versionedView,
} from '../rows/versioned-repository.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';

/** A tenant as the API shows it. */
export interface TenantView {
  readonly id: string;
  readonly name: string;
  readonly status: TenantStatus;
  readonly system_prompt: string | null;
  readonly settings: TenantSettings;
  readonly created_at: string;
  readonly updated_at: string;
}

export type TenantFields = Omit<TenantView, 'id' | 'created_at' | 'updated_at'>;

/** Pattern of the id of a new tenant, which is also the name of a folder and a part of paths. */
export const TENANT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** All tenants of the service. */
export class TenantStore {
  private readonly tenants: Repository<TenantEntity>;

  constructor(dataSource: DataSource) {
    this.tenants = dataSource.getRepository(TenantEntity);
  }

  /** Sorted by id, ascending. */
  async list(page: {
    readonly afterId?: string | undefined;
    readonly limit: number;
  }): Promise<RowsOfPage<TenantView>> {
    const { afterId = '', limit } = page;
    const after = this.tenants
      .createQueryBuilder('tenant')
      .where('tenant.id COLLATE "C" > :afterId', { afterId });
    return mapRows(await readEntityPage(this.tenants, after, { orderBy: 'id COLLATE "C"', limit }), toView);
  }

  async find(id: string): Promise<Versioned<TenantView> | null> {
    const tenant = await this.tenants.findOneBy({ id });
    return tenant && versionedView(tenant, toView);
  }

  /** Returns null if the id is taken. */
  async create(id: string, fields: TenantFields): Promise<Versioned<TenantView> | null> {
    const tenant = await insertUnlessTaken(this.tenants, { id, ...toValues(fields) });
    return tenant && versionedView(tenant, toView);
  }

  /** Changes the given fields only. */
  async update(
    id: string,
    fields: Partial<TenantFields>,
    expected: ExpectedVersions,
  ): Promise<VersionedChange<TenantView>> {
    const change = await changeVersioned(this.tenants, { id }, toValues(fields), expected);
    return changedView(change, toView);
  }
}

/**
 * Creates an active tenant with this id unless there is one, with any status. Throws `INVALID_TENANT` for a new id that does
 * not match {@link TENANT_ID}.
 */
export async function ensureTenant(manager: Pick<EntityManager, 'getRepository'>, id: string): Promise<void> {
  const tenants = manager.getRepository(TenantEntity);
  if (await tenants.existsBy({ id })) return;
  if (!TENANT_ID.test(id)) {
    throw new AppError({
      code: 'INVALID_TENANT',
      kind: 'invalid_input',
      message: 'the id of a tenant must be 1 to 64 letters, digits, "_" or "-"',
    });
  }
  await insertUnlessTaken(tenants, { id, name: id });
}

function toValues({ system_prompt: systemPrompt, ...fields }: Partial<TenantFields>) {
  return { ...fields, systemPrompt };
}

function toView(tenant: TenantEntity): TenantView {
  const { id, name, status, systemPrompt: system_prompt, settings, createdAt, updatedAt } = tenant;
  return {
    ...{ id, name, status, system_prompt, settings: readTenantSettings(settings) },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
