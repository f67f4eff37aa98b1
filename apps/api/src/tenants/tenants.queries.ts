import { Injectable } from '@nestjs/common';
import { TenantStore, type TenantView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { TenantListQuery } from './tenants.dto.js';
import { tenantNotFound } from './tenants.faults.js';

/** Reading tenants, for who runs the service. */
@Injectable()
export class TenantsQueries {
  constructor(private readonly tenants: TenantStore) {}

  /** By id, ascending. */
  async list({ limit, cursor: afterId }: TenantListQuery): Promise<Page<TenantView>> {
    return toPage(await this.tenants.list({ afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(id: string): Promise<Versioned<TenantView>> {
    const tenant = await this.tenants.find(id);
    if (tenant === null) throw tenantNotFound();
    return tenant;
  }
}
