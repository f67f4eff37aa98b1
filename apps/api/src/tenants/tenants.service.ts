import { Injectable } from '@nestjs/common';
import {
  TenantStore,
  type TenantView,
  type Versioned,
  LlmStore,
  type ExpectedVersions,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import type { TenantSettings } from '#libs/policy';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import { InvalidRequestError } from '../http/request-errors.js';
import type { TenantListQuery, NewTenantDto, TenantPatchDto } from './tenants.dto.js';
import { tenantNotFound, tenantExists } from './tenants.errors.js';

/** Lists, creates and changes tenants, for administrators. */
@Injectable()
export class TenantsService {
  constructor(
    private readonly tenants: TenantStore,
    private readonly llms: LlmStore,
  ) {}

  /** Sorted by ascending id. */
  async list({ limit, cursor: afterId }: TenantListQuery): Promise<Page<TenantView>> {
    return toPage(await this.tenants.list({ afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(id: string): Promise<Versioned<TenantView>> {
    const tenant = await this.tenants.find(id);
    if (tenant === null) throw tenantNotFound();
    return tenant;
  }

  /** Throws `TENANT_EXISTS`, and an `InvalidRequestError` for a title model, since a new tenant has no models. */
  async create({ id, name = id, ...fields }: NewTenantDto): Promise<Versioned<TenantView>> {
    await this.checkTitleLlm(id, fields.settings);
    const tenant = await this.tenants.create(id, { name, ...fields });
    if (tenant === null) throw tenantExists();
    return tenant;
  }

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, and an `InvalidRequestError` for a title model that the tenant lacks. */
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
    await this.checkTitleLlm(id, settings);
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

  private async checkTitleLlm(tenantId: string, settings: TenantSettings | undefined): Promise<void> {
    const llmId = settings?.title_llm ?? null;
    if (llmId === null || (await this.llms.find(tenantId, llmId)) !== null) return;
    const detail = `the tenant has no model configuration with the id ${llmId}`;
    throw new InvalidRequestError([{ pointer: '#/settings/title_llm', detail }]);
  }
}
