import { Injectable } from '@nestjs/common';
import { LlmStore, type LlmFields, type LlmView } from '#libs/persistence';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmPatchDto } from './llm.dto.js';
import { llmNotFound } from './llm.faults.js';

/** Some or all fields of a model configuration; a stored key stays unless a new one is given. Throws `NOT_FOUND`. */
@Injectable()
export class ChangeLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
  ) {}

  async execute(tenantId: string, id: number, { credentials, ...fields }: LlmPatchDto): Promise<LlmView> {
    const given: Partial<LlmFields> = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    );
    const openPart = credentials === undefined ? {} : { credentials: this.keeper.openPart(credentials) };
    const sealer = this.keeper.sealer(tenantId, credentials);
    const llm = await this.llms.update(tenantId, id, { ...given, ...openPart }, sealer);
    if (llm === null) throw llmNotFound();
    return llm;
  }
}
