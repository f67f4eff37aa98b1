import { Injectable } from '@nestjs/common';
import { AgentStore, AgentVersionStore, type AgentVersionView } from '#libs/persistence';
import { toPage, type Page } from '../http/page.js';
import type { AgentVersionListQuery } from './agent-version.dto.js';
import { agentNotFound, agentVersionNotFound } from './agent.faults.js';

/** What an agent was, also of an inactive one. */
@Injectable()
export class AgentVersionsQueries {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
  ) {}

  /** Newest first. Throws `NOT_FOUND`. */
  async list(
    tenantId: string,
    agentId: number,
    query: AgentVersionListQuery,
  ): Promise<Page<AgentVersionView>> {
    const { limit, cursor: beforeVersion } = query;
    const rows = await this.versions.list(tenantId, agentId, { beforeVersion, limit });
    if (rows.rows.length === 0 && (await this.agents.find(tenantId, agentId)) === null) throw agentNotFound();
    return toPage(rows, ({ version }) => version);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, agentId: number, version: number): Promise<AgentVersionView> {
    const found = await this.versions.find(tenantId, agentId, version);
    if (found === null) throw agentVersionNotFound();
    return found;
  }
}
