import { Injectable } from '@nestjs/common';
import {
  AgentStore,
  AgentVersionStore,
  type AgentVersionView,
  type AgentView,
  type Versioned,
} from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import { MAX_PAGE } from '../http/request-values.js';
import type { AgentListQuery, AgentVersionListQuery } from './agents.dto.js';
import { agentNotFound, agentVersionNotFound } from './agents.faults.js';

/** The most agents that are answered as a plain array. */
const MAX_ARRAY = 1_000;

export interface AgentList {
  /** Whether the client knows pages; else it gets what is in this one as a plain array. */
  readonly isPaged: boolean;
  readonly page: Page<AgentView>;
}

/** Reads the agents of a tenant, and what they were. */
@Injectable()
export class AgentsQueries {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
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
}
