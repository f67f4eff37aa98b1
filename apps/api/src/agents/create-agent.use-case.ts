import { Injectable } from '@nestjs/common';
import { AgentStore, type Versioned } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { llmNotFound } from './agent.faults.js';
import { toWholeFields, withWarnings, type WrittenAgent } from './agent-fields.js';
import { CheckAgent } from './check-agent.js';

/** A new agent (S3-18). */
@Injectable()
export class CreateAgent {
  constructor(
    private readonly agents: AgentStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  async execute(tenantId: string, dto: AgentFieldsDto): Promise<Versioned<WrittenAgent>> {
    const fields = toWholeFields(dto);
    const warnings = await this.checkAgent.execute(tenantId, fields);
    const creation = await this.agents.create(tenantId, fields);
    if (creation.kind === 'llm_not_found') throw llmNotFound();
    return withWarnings(creation, warnings);
  }
}
