import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView, type Versioned } from '#libs/persistence';
import { agentNotFound } from './agent.faults.js';

/** One agent that may be used. Throws `NOT_FOUND` for an inactive one too (S3-29). */
@Injectable()
export class FindActiveAgent {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, id: number): Promise<Versioned<AgentView>> {
    const agent = await this.agents.find(tenantId, id);
    if (agent?.view.is_active !== true) throw agentNotFound();
    return agent;
  }
}
