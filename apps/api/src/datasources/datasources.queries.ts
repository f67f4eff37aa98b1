import { Injectable } from '@nestjs/common';
import { DatasourceStore, type DatasourceView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { DatasourceListQuery } from './datasources.dto.js';
import { datasourceNotFound } from './datasources.faults.js';

/** Reading the datasources of a tenant. */
@Injectable()
export class DatasourcesQueries {
  constructor(private readonly datasources: DatasourceStore) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    { limit, cursor: afterId }: DatasourceListQuery,
  ): Promise<Page<DatasourceView>> {
    return toPage(await this.datasources.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<DatasourceView>> {
    const datasource = await this.datasources.find(tenantId, id);
    if (datasource === null) throw datasourceNotFound();
    return datasource;
  }
}
