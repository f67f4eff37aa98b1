import { Injectable } from '@nestjs/common';
import { AgentStore, type ExpectedVersions, type Versioned } from '#libs/persistence';
import type { AgentPatchDto } from './agent.dto.js';
import { requireChanged, toGivenFields, withWarnings, type WrittenAgent } from './agent-fields.js';
import { CheckAgent } from './check-agent.js';

/** Some fields of an agent, also of an inactive one: `{"is_active": true}` brings it back. */
@Injectable()
export class PatchAgent {
  constructor(
    private readonly agents: AgentStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async execute(
    tenantId: string,
    id: number,
    dto: AgentPatchDto,
    expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    const fields = toGivenFields(dto);
    const warnings = await this.checkAgent.executeChange(tenantId, id, fields);
    const options = { expected, onlyActive: false };
    return withWarnings(requireChanged(await this.agents.update(tenantId, id, fields, options)), warnings);
  }
}
