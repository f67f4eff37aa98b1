import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import {
  LlmStore,
  type ExpectedVersions,
  type LlmFields,
  type LlmView,
  type Versioned,
} from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmPatchDto } from './llm.dto.js';
import { llmNotFound } from './llm.faults.js';

/** Some or all fields of a model configuration; a stored key stays unless a new one is given. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
@Injectable()
export class ChangeLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
  ) {}

  async execute(
    tenantId: string,
    id: number,
    { credentials, ...fields }: LlmPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<LlmView>> {
    const given: Partial<LlmFields> = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    );
    const openPart = credentials === undefined ? {} : { credentials: this.keeper.openPart(credentials) };
    const sealer = this.keeper.sealer(tenantId, credentials);
    const change = await this.llms.update(tenantId, id, { ...given, ...openPart }, sealer, expected);
    switch (change.kind) {
      case 'changed':
        return change;
      case 'not_found':
        throw llmNotFound();
      case 'other_version':
        throw otherVersion();
      default:
        return assertNever(change);
    }
  }
}
