import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView, type ExpectedVersions, type Versioned } from '#libs/persistence';
import type { AgentFieldsDto } from './agent.dto.js';
import { requireChanged, toWholeFields } from './agent-fields.js';

/** All fields of an active agent anew; what is left out gets its default. */
@Injectable()
export class ReplaceAgent {
  constructor(private readonly agents: AgentStore) {}

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async execute(
    tenantId: string,
    id: number,
    dto: AgentFieldsDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<AgentView>> {
    const options = { expected, onlyActive: true };
    return requireChanged(await this.agents.update(tenantId, id, toWholeFields(dto), options));
  }
}
