import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import {
  LlmStore,
  type ExpectedVersions,
  type LlmFields,
  type LlmView,
  type SealKey,
  type Versioned,
  type VersionedChange,
} from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import { CheckExtra } from './check-extra.js';
import { CredentialKeeper } from './credential-keeper.js';
import type { LlmCredentials, LlmPatchDto } from './llm.dto.js';
import { llmNotFound } from './llm.faults.js';

/** How often somebody else may change the configuration while its new credentials are judged. */
const MOST_TRIES = 20;

/** Some or all fields of a model configuration; a stored key stays unless a new one is given. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
@Injectable()
export class ChangeLlm {
  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
    private readonly checkExtra: CheckExtra,
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
    await this.checkExtra.executeChange(tenantId, id, given);
    const change =
      credentials === undefined
        ? await this.llms.update(tenantId, id, given, NO_KEY, expected)
        : await this.#changeCredentials(tenantId, id, given, credentials, expected);
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

  /**
   * Whether a stored key may stay depends on the server that it was given for, so that the change is made on just the version
   * that was judged.
   */
  async #changeCredentials(
    tenantId: string,
    id: number,
    given: Partial<LlmFields>,
    credentials: LlmCredentials,
    expected: ExpectedVersions,
  ): Promise<VersionedChange<LlmView>> {
    const sealer = this.keeper.sealer(tenantId, credentials);
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const before = await this.llms.find(tenantId, id);
      if (before === null) return { kind: 'not_found' };
      if (expected !== null && !expected.includes(before.version)) break;
      const { api_key_hint: hint, credentials: settings } = before.view;
      const { openPart, dropsKey } = this.keeper.judge(credentials, { hasKey: hint !== null, settings });
      const fields = { ...given, credentials: openPart, dropsKey };
      const change = await this.llms.update(tenantId, id, fields, sealer, [before.version]);
      if (change.kind !== 'other_version') return change;
    }
    return { kind: 'other_version' };
  }
}

const NO_KEY: SealKey = () => null;
