import type { DataSource, Repository } from 'typeorm';
import { ManagedResourceEntity } from '../entities/managed-resource.entity.js';
import type { RowsOfPage } from '../rows/bounded-page.js';

/** Kinds of resources that are applied by name, as their paths call them. */
export const MANAGED_KINDS = [
  'agents',
  'datasources',
  'llms',
  'mcp-servers',
  'skills',
  'webhook-endpoints',
] as const;
export type ManagedKind = (typeof MANAGED_KINDS)[number];

export interface ManagedResourceView {
  readonly kind: ManagedKind;
  /** Its number or UUID, as text. */
  readonly id: string;
  readonly managed_by: string;
  /** Time at which a set of files first applied it. */
  readonly applied_at: string;
}

export interface ManagedFilter {
  readonly managedBy: string;
  /** Last of the page before. */
  readonly after?: Pick<ManagedResourceView, 'kind' | 'id'> | undefined;
  readonly limit: number;
}

/** Resources that belong to sets of files. */
export class ManagedResourceStore {
  private readonly resources: Repository<ManagedResourceEntity>;

  constructor(dataSource: DataSource) {
    this.resources = dataSource.getRepository(ManagedResourceEntity);
  }

  /** Has the resource belong to this set of files, and to no other. */
  async mark(tenantId: string, kind: ManagedKind, resourceId: string, managedBy: string): Promise<void> {
    const owned = { tenantId, kind, resourceId, managedBy };
    await this.resources.upsert(owned, {
      conflictPaths: ['tenantId', 'kind', 'resourceId'],
      skipUpdateIfNoValuesChanged: true,
    });
  }

  /** By kind and id, ascending; those that are gone are among them. */
  async list(
    tenantId: string,
    { managedBy, after, limit }: ManagedFilter,
  ): Promise<RowsOfPage<ManagedResourceView>> {
    const list = this.resources.createQueryBuilder('managed').where({ tenantId, managedBy });
    if (after !== undefined) list.andWhere('(managed.kind, managed.resourceId) > (:kind, :id)', after);
    const order = { 'managed.kind': 'ASC', 'managed.resourceId': 'ASC' } as const;
    const found = await list
      .orderBy(order)
      .take(limit + 1)
      .getMany();
    return { rows: found.slice(0, limit).map(toView), hasMore: found.length > limit };
  }
}

function toView({ kind, resourceId, managedBy, appliedAt }: ManagedResourceEntity): ManagedResourceView {
  return {
    kind: kind as ManagedKind,
    id: resourceId,
    managed_by: managedBy,
    applied_at: appliedAt.toISOString(),
  };
}
