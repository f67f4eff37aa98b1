import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView } from '#libs/persistence';
import type { AgentPatchDto } from './agent.dto.js';
import { requireLlm, toGivenFields } from './agent-fields.js';
import { agentNotFound } from './agent.faults.js';

/** Some fields of an agent, also of an inactive one: `{"is_active": true}` brings it back. */
@Injectable()
export class PatchAgent {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, id: number, dto: AgentPatchDto): Promise<AgentView> {
    const fields = toGivenFields(dto);
    if (fields.llm !== undefined) await requireLlm(this.agents, tenantId, fields.llm);
    const agent = await this.agents.update(tenantId, id, fields);
    if (agent === null) throw agentNotFound();
    return agent;
  }
}
