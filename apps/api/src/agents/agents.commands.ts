import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import {
  AgentStore,
  AgentVersionStore,
  type AgentChange,
  type AgentFields,
  type AgentView,
  type ExpectedVersions,
  type Versioned,
} from '#libs/persistence';
import { otherVersion } from '../http/entity-tag.js';
import { CheckAgent, requireUsecaseType } from './agents.checks.js';
import type { AgentFieldsDto, AgentPatchDto, AgentWarning } from './agents.dto.js';
import { agentNotFound, agentVersionNotFound, llmNotFound } from './agents.faults.js';

/** An agent as a change of it is answered. */
export type WrittenAgent = AgentView & { readonly warnings?: readonly AgentWarning[] };

/**
 * Makes and changes agents. A change throws `NOT_FOUND` where there is none, and `VERSION_CHANGED` where it is not as
 * expected.
 */
@Injectable()
export class AgentsCommands {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /** A new agent (S3-18). */
  async create(tenantId: string, dto: AgentFieldsDto): Promise<Versioned<WrittenAgent>> {
    const fields = toWholeFields(dto);
    const warnings = await this.checkAgent.execute(tenantId, fields);
    const creation = await this.agents.create(tenantId, fields);
    if (creation.kind === 'llm_not_found') throw llmNotFound();
    return withWarnings(creation, warnings);
  }

  /** All fields of an active agent anew; what is left out gets its default. */
  async replace(
    tenantId: string,
    id: number,
    dto: AgentFieldsDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    const fields = toWholeFields(dto);
    const warnings = await this.checkAgent.execute(tenantId, fields, { id });
    const options = { expected, onlyActive: true };
    return withWarnings(requireChanged(await this.agents.update(tenantId, id, fields, options)), warnings);
  }

  /** Some fields of an agent, also of an inactive one: `{"is_active": true}` brings it back. */
  async patch(
    tenantId: string,
    id: number,
    dto: AgentPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    const fields = toGivenFields(dto);
    const warnings = await this.checkAgent.executeChange(tenantId, id, fields);
    const options = { expected, onlyActive: false };
    return withWarnings(requireChanged(await this.agents.update(tenantId, id, fields, options)), warnings);
  }

  /** DELETE of an agent: it stays, inactive, and its sessions stay readable. */
  async deactivate(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const options = { expected, onlyActive: true };
    requireChanged(await this.agents.update(tenantId, id, { is_active: false }, options));
  }

  /**
   * Makes an agent what it was in one of its versions, active or not; that is a change like any other, and so a new version.
   * Judged as if it were written anew: throws `VALIDATION_ERROR` where a tool or a model configuration is gone since.
   */
  async restoreVersion(
    tenantId: string,
    id: number,
    version: number,
    expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    const past = await this.versions.find(tenantId, id, version);
    if (past === null) throw agentVersionNotFound();
    const { id: _id, version: _version, created_at: _createdAt, ...fields } = past;
    const warnings = await this.checkAgent.execute(tenantId, fields, { id });
    const options = { expected, onlyActive: false };
    return withWarnings(requireChanged(await this.agents.update(tenantId, id, fields, options)), warnings);
  }
}

/** The agent as it is after a change. Throws where there was none. */
function requireChanged(change: AgentChange): Versioned<AgentView> {
  switch (change.kind) {
    case 'changed':
      return change;
    case 'not_found':
      throw agentNotFound();
    case 'other_version':
      throw otherVersion();
    case 'llm_not_found':
      throw llmNotFound();
    default:
      return assertNever(change);
  }
}

function toWholeFields({ usecase_type, ...rest }: AgentFieldsDto): AgentFields {
  return { ...rest, usecase_type: requireUsecaseType(usecase_type) };
}

/** Only the fields that were given. */
function toGivenFields({ usecase_type, ...rest }: AgentPatchDto): Partial<AgentFields> {
  const given: Partial<AgentFields> = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  );
  return usecase_type === undefined ? given : { ...given, usecase_type: requireUsecaseType(usecase_type) };
}

function withWarnings(
  { view, version }: Versioned<AgentView>,
  warnings: readonly AgentWarning[],
): Versioned<WrittenAgent> {
  return { view: warnings.length === 0 ? view : { ...view, warnings }, version };
}
