import { Injectable } from '@nestjs/common';
import { AgentStore, type AgentView, type ExpectedVersions, type Versioned } from '#libs/persistence';
import type { AgentPatchDto } from './agent.dto.js';
import { requireChanged, toGivenFields } from './agent-fields.js';

/** Some fields of an agent, also of an inactive one: `{"is_active": true}` brings it back. */
@Injectable()
export class PatchAgent {
  constructor(private readonly agents: AgentStore) {}

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async execute(
    tenantId: string,
    id: number,
    dto: AgentPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<AgentView>> {
    const options = { expected, onlyActive: false };
    return requireChanged(await this.agents.update(tenantId, id, toGivenFields(dto), options));
  }
}
