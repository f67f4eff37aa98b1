import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmView, type Named, type Versioned } from '#libs/persistence';
import { CredentialKeeper } from '../llms/credential-keeper.js';
import { CheckExtra } from '../llms/llms.checks.js';
import type { LlmFieldsDto } from '../llms/llms.dto.js';
import { LlmsService } from '../llms/llms.service.js';
import { ByName, unlessRefused } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** Model configurations by name. A key that is given is compared with the stored one; without one the stored key stays. */
@Injectable()
export class LlmsByName extends ByName<LlmFieldsDto, LlmView> {
  readonly kind = 'llms';

  constructor(
    private readonly llms: LlmStore,
    private readonly service: LlmsService,
    private readonly keeper: CredentialKeeper,
    private readonly checkExtra: CheckExtra,
  ) {
    super();
  }

  find(tenantId: string, name: string): Promise<Named<Versioned<LlmView>>> {
    return this.llms.findByName(tenantId, name);
  }

  async check(tenantId: string, { credentials, ...fields }: LlmFieldsDto): Promise<void> {
    this.checkExtra.execute(fields);
    this.keeper.evaluate(fields.provider, credentials, null);
    this.keeper.sealer(tenantId, fields.provider, credentials);
  }

  async compare(
    tenantId: string,
    { view: before }: Versioned<LlmView>,
    fields: LlmFieldsDto,
  ): Promise<string[]> {
    const { credentials, ...rest } = fields;
    const isSame = fields.provider === before.provider;
    const kept = isSame ? { hasKey: before.api_key_hint !== null, settings: before.credentials } : null;
    const { openPart } = this.keeper.evaluate(fields.provider, credentials, kept);
    const settings = isSame ? this.keeper.normalized(before.provider, before.credentials) : null;
    const changed = changedFields({ ...before, credentials: settings }, { ...rest, credentials: openPart });
    if (!changed.includes('credentials')) {
      const stored = await this.llms.findSealed(tenantId, before.id);
      if (stored !== null && !this.keeper.isStoredKey(stored, credentials)) changed.push('credentials');
    }
    if (changed.length > 0) this.checkExtra.execute(rest);
    return changed;
  }

  create(tenantId: string, { credentials, ...fields }: LlmFieldsDto): Promise<Versioned<LlmView> | null> {
    const { openPart } = this.keeper.evaluate(fields.provider, credentials, null);
    return this.llms.createUnlessNamed(
      tenantId,
      { ...fields, credentials: openPart },
      this.keeper.sealer(tenantId, fields.provider, credentials),
    );
  }

  replace(
    tenantId: string,
    { view, version }: Versioned<LlmView>,
    fields: LlmFieldsDto,
  ): Promise<Versioned<LlmView> | null> {
    return unlessRefused(
      this.service.change(tenantId, view.id, fields, [version]),
      'VERSION_CHANGED',
      'NOT_FOUND',
    );
  }
}
