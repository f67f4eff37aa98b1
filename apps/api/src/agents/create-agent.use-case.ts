import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { requireLlm, toWholeFields } from './agent-fields.js';

/** A new agent (S3-18). */
@Injectable()
export class CreateAgent {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, dto: AgentFieldsDto): Promise<AgentView> {
    const fields = toWholeFields(dto);
    await requireLlm(this.agents, tenantId, fields.llm);
    return this.agents.create(tenantId, fields);
  }
}
