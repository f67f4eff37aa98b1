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
import { agentNotFound, agentVersionNotFound, llmNotFound } from './agents.errors.js';
import { CheckAgent, requireUsecaseType } from './agents.checks.js';

/** Maximum agents in a plain array. */
const MAX_ARRAY = 1_000;

export interface AgentList {
  /** Whether the client requested pages; otherwise it gets the rows as a plain array. */
  readonly isPaged: boolean;
  readonly page: Page<AgentView>;
}

/** The changed agent with warnings, as the answer to a write. */
export type WrittenAgent = AgentView & { readonly warnings?: readonly AgentWarning[] };

/**
 * Lists and changes the agents of a tenant and their versions. A change throws `NOT_FOUND` for a missing agent, and
 * `VERSION_CHANGED` for an unexpected version.
 */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /**
   * Sorted by ascending id: one page if the query asks for paging, otherwise the first agents up to the limit of a plain
   * array (S3-17).
   */
  async list(tenantId: string, query: AgentListQuery): Promise<AgentList> {
    const { cursor: afterId, include_inactive: includeInactive } = query;
    const isPaged = query.limit !== undefined || afterId !== undefined;
    const limit = query.limit ?? (isPaged ? MAX_PAGE : MAX_ARRAY);
    return {
      isPaged,
      page: toPage(await this.agents.list(tenantId, { includeInactive, afterId, limit }), byId),
    };
  }

  /** An active agent. Throws `NOT_FOUND`, also for an inactive one (S3-29). */
  async findActive(tenantId: string, id: number): Promise<Versioned<AgentView>> {
    const agent = await this.agents.find(tenantId, id);
    if (agent?.view.is_active !== true) throw agentNotFound();
    return agent;
  }

  /** Sorted newest first; includes inactive agents. Throws `NOT_FOUND`. */
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

  /** Includes inactive agents. Throws `NOT_FOUND`. */
  async findVersion(tenantId: string, agentId: number, version: number): Promise<AgentVersionView> {
    const found = await this.versions.find(tenantId, agentId, version);
    if (found === null) throw agentVersionNotFound();
    return found;
  }

  /** Creates an agent (S3-18). */
  async create(tenantId: string, dto: AgentFieldsDto): Promise<Versioned<WrittenAgent>> {
    const fields = toWholeFields(dto);
    const warnings = await this.checkAgent.execute(tenantId, fields);
    const creation = await this.agents.create(tenantId, fields);
    if (creation.kind === 'llm_not_found') throw llmNotFound();
    return withWarnings(creation, warnings);
  }

  /** Replaces all fields of an active agent; omitted ones take their defaults. */
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

  /** Changes some fields of an agent, also of an inactive one: `{"is_active": true}` reactivates it. */
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

  /** Deactivates an agent; its sessions stay readable. */
  async deactivate(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const options = { expected, onlyActive: true };
    requireChanged(await this.agents.update(tenantId, id, { is_active: false }, options));
  }

  /**
   * Restores a version of an agent, active or not, as a new version. It is validated like a write: throws `VALIDATION_ERROR`
   * where a tool or a model configuration no longer exists.
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

/** The agent after a change. Throws if the change failed. */
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

/** Keeps only the fields in the body. */
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
