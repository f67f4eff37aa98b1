import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView, type Versioned } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { llmNotFound } from './agent.faults.js';
import { toWholeFields } from './agent-fields.js';

/** A new agent (S3-18). */
@Injectable()
export class CreateAgent {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, dto: AgentFieldsDto): Promise<Versioned<AgentView>> {
    const creation = await this.agents.create(tenantId, toWholeFields(dto));
    if (creation.kind === 'llm_not_found') throw llmNotFound();
    return creation;
  }
}
