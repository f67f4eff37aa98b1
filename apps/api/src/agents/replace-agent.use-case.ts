import { Injectable } from '@nestjs/common';
import { AgentStore, type ExpectedVersions, type Versioned } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { requireChanged, toWholeFields, withWarnings, type WrittenAgent } from './agent-fields.js';
import { CheckAgent } from './check-agent.js';

/** All fields of an active agent anew; what is left out gets its default. */
@Injectable()
export class ReplaceAgent {
  constructor(
    private readonly agents: AgentStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async execute(
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
}
