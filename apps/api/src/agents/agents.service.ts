import { Injectable } from '@nestjs/common';
import {
  AgentStore,
  AgentVersionStore,
  type AgentVersionView,
  type AgentView,
  type Versioned,
  type AgentChange,
  type AgentFields,
  type ExpectedVersions,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import { byId, toPage, type Page } from '../http/page.js';
import { MAX_PAGE } from '../http/request-values.js';
import { otherVersion } from '../http/entity-tag.js';
import type {
  AgentListQuery,
  AgentVersionListQuery,
  AgentFieldsDto,
  AgentPatchDto,
  AgentWarning,
} from './agents.dto.js';
import { agentNotFound, agentVersionNotFound, llmNotFound } from './agents.faults.js';
import { CheckAgent, requireUsecaseType } from './agents.checks.js';

/** The most agents that are answered as a plain array. */
const MAX_ARRAY = 1_000;

export interface AgentList {
  /** Whether the client knows pages; else it gets what is in this one as a plain array. */
  readonly isPaged: boolean;
  readonly page: Page<AgentView>;
}

/** An agent as a change of it is answered. */
export type WrittenAgent = AgentView & { readonly warnings?: readonly AgentWarning[] };

/**
 * Reads and changes the agents of a tenant and their versions. A change throws `NOT_FOUND` where there is no such agent, and
 * `VERSION_CHANGED` where it is not as expected.
 */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /** By id, ascending: as many as one answer holds, or one page when the query asks for paging (S3-17). */
  async list(tenantId: string, query: AgentListQuery): Promise<AgentList> {
    const { cursor: afterId, include_inactive: includeInactive } = query;
    const isPaged = query.limit !== undefined || afterId !== undefined;
    const limit = query.limit ?? (isPaged ? MAX_PAGE : MAX_ARRAY);
    return {
      isPaged,
      page: toPage(await this.agents.list(tenantId, { includeInactive, afterId, limit }), byId),
    };
  }

  /** One agent that may be used. Throws `NOT_FOUND` for an inactive one too (S3-29). */
  async findActive(tenantId: string, id: number): Promise<Versioned<AgentView>> {
    const agent = await this.agents.find(tenantId, id);
    if (agent?.view.is_active !== true) throw agentNotFound();
    return agent;
  }

  /** Newest first, also of an inactive agent. Throws `NOT_FOUND`. */
  async listVersions(
    tenantId: string,
    agentId: number,
    query: AgentVersionListQuery,
  ): Promise<Page<AgentVersionView>> {
    const { limit, cursor: beforeVersion } = query;
    const rows = await this.versions.list(tenantId, agentId, { beforeVersion, limit });
    if (rows.rows.length === 0 && (await this.agents.find(tenantId, agentId)) === null) throw agentNotFound();
    return toPage(rows, ({ version }) => version);
  }

  /** Also of an inactive agent. Throws `NOT_FOUND`. */
  async findVersion(tenantId: string, agentId: number, version: number): Promise<AgentVersionView> {
    const found = await this.versions.find(tenantId, agentId, version);
    if (found === null) throw agentVersionNotFound();
    return found;
  }

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
