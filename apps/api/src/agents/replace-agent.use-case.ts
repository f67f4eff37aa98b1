import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { requireLlm, toWholeFields } from './agent-fields.js';
import { agentNotFound } from './agent.faults.js';
import { FindActiveAgent } from './find-active-agent.use-case.js';

/** All fields of an active agent anew; what is left out gets its default. */
@Injectable()
export class ReplaceAgent {
  constructor(
    private readonly findActive: FindActiveAgent,
    private readonly agents: AgentStore,
  ) {}

  async execute(tenantId: string, id: number, dto: AgentFieldsDto): Promise<AgentView> {
    const fields = toWholeFields(dto);
    await this.findActive.execute(tenantId, id);
    await requireLlm(this.agents, tenantId, fields.llm);
    const agent = await this.agents.update(tenantId, id, fields);
    if (agent === null) throw agentNotFound();
    return agent;
  }
}
