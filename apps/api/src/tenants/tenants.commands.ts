import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import { TenantStore, type ExpectedVersions, type TenantView, type Versioned } from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import type { NewTenantDto, TenantPatchDto } from './tenants.dto.js';
import { tenantExists, tenantNotFound } from './tenants.faults.js';

/** Making and changing tenants, for who runs the service. */
@Injectable()
export class TenantsCommands {
  constructor(private readonly tenants: TenantStore) {}

  /** Throws `TENANT_EXISTS`. */
  async create({ id, name = id, ...fields }: NewTenantDto): Promise<Versioned<TenantView>> {
    const tenant = await this.tenants.create(id, { name, ...fields });
    if (tenant === null) throw tenantExists();
    return tenant;
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async change(
    id: string,
    { name, status, system_prompt, settings }: TenantPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<TenantView>> {
    const given = {
      ...(name !== undefined && { name }),
      ...(status !== undefined && { status }),
      ...(system_prompt !== undefined && { system_prompt }),
      ...(settings !== undefined && { settings }),
    };
    const change = await this.tenants.update(id, given, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw tenantNotFound();
      case 'other_version':
        throw otherVersion();
      default:
        return assertNever(change);
    }
  }
}
