import { Injectable } from '@nestjs/common';
import {
  LlmStore,
  type LlmView,
  type Versioned,
  type ExpectedVersions,
  type LlmFields,
  type SealKey,
  type VersionedChange,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { otherVersion } from '../http/entity-tag.js';
import type { LlmListQuery, LlmCredentials, LlmFieldsDto, LlmPatchDto } from './llms.dto.js';
import { llmNotFound, llmInUse, missingCredentials } from './llms.errors.js';
import { CredentialKeeper } from './credential-keeper.js';
import { CheckExtra } from './llms.checks.js';

/** Maximum attempts while concurrent changes of the configuration keep outdating the validated version. */
const MAX_TRIES = 20;

/** Lists, creates, changes and deletes model configurations. */
@Injectable()
export class LlmsService {
  constructor(
    private readonly llms: LlmStore,
    private readonly keeper: CredentialKeeper,
    private readonly checkExtra: CheckExtra,
  ) {}

  /** Sorted by ascending id. */
  async list(tenantId: string, { limit, cursor: afterId }: LlmListQuery): Promise<Page<LlmView>> {
    return toPage(await this.llms.list(tenantId, { afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: number): Promise<Versioned<LlmView>> {
    const llm = await this.llms.find(tenantId, id);
    if (llm === null) throw llmNotFound();
    return llm;
  }

  /** Creates a model configuration without trying it; `validate` or the first call does (S1-13). */
  async create(tenantId: string, { credentials, ...fields }: LlmFieldsDto): Promise<Versioned<LlmView>> {
    this.checkExtra.execute(fields);
    const { openPart } = this.keeper.evaluate(fields.provider, credentials, null);
    return this.llms.create(
      tenantId,
      { ...fields, credentials: openPart },
      this.keeper.sealer(tenantId, fields.provider, credentials),
    );
  }

  /** Changes some or all fields; the stored key stays unless a new one is given. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async change(
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
      credentials === undefined && given.provider === undefined
        ? await this.llms.update(tenantId, id, given, NO_KEY, expected)
        : await this.changeConnection(tenantId, id, given, credentials, expected);
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
   * Deletes the configuration with its key. Throws `NOT_FOUND`, `VERSION_CHANGED`, and `LLM_IN_USE` while an agent uses it.
   */
  async delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const deletion = await this.llms.delete(tenantId, id, expected);
    switch (deletion) {
      case 'deleted':
        return;
      case 'not_found':
        throw llmNotFound();
      case 'other_version':
        throw otherVersion();
      case 'in_use':
        throw llmInUse();
      default:
        assertNever(deletion);
    }
  }

  /**
   * A stored key may stay only for the server that it was given for, so the update applies to exactly the validated version.
   */
  private async changeConnection(
    tenantId: string,
    id: number,
    given: Partial<LlmFields>,
    credentials: LlmCredentials | undefined,
    expected: ExpectedVersions,
  ): Promise<VersionedChange<LlmView>> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const before = await this.llms.find(tenantId, id);
      if (before === null) return { kind: 'not_found' };
      if (expected !== null && !expected.includes(before.version)) break;
      const { fields, sealer } = this.evaluate(tenantId, given, credentials, before.view);
      const change = await this.llms.update(tenantId, id, fields, sealer, [before.version]);
      if (change.kind !== 'other_version') return change;
    }
    return { kind: 'other_version' };
  }

  private evaluate(
    tenantId: string,
    given: Partial<LlmFields>,
    credentials: LlmCredentials | undefined,
    { provider: before, api_key_hint: hint, credentials: settings }: LlmView,
  ) {
    const provider = given.provider ?? before;
    const isSame = provider === before;
    if (credentials === undefined) {
      if (!isSame) throw missingCredentials();
      return { fields: given, sealer: NO_KEY };
    }
    const sealer = this.keeper.sealer(tenantId, provider, credentials);
    const stored = isSame ? { hasKey: hint !== null, settings } : null;
    const { openPart, dropsKey } = this.keeper.evaluate(provider, credentials, stored);
    return { fields: { ...given, credentials: openPart, dropsKey: dropsKey || !isSame }, sealer };
  }
}

const NO_KEY: SealKey = () => null;
