import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmView, type Versioned } from '#libs/persistence';
import { CheckExtra } from './check-extra.js';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmFieldsDto } from './llm.dto.js';

/**
 * A new model configuration. Whether it works is not judged here: `validate` tries it, or the first call shows it
 * (S1-13).
 */
@Injectable()
export class CreateLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
    private readonly checkExtra: CheckExtra,
  ) {}

  async execute(tenantId: string, { credentials, ...fields }: LlmFieldsDto): Promise<Versioned<LlmView>> {
    this.checkExtra.execute(fields);
    const { openPart } = this.keeper.judge(fields.provider, credentials, null);
    return this.llms.create(
      tenantId,
      { ...fields, credentials: openPart },
      this.keeper.sealer(tenantId, fields.provider, credentials),
    );
  }
}
