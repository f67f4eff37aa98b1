import { Injectable } from '@nestjs/common';
import { AgentStore, type ExpectedVersions } from '#libs/persistence';
import { requireChanged } from './agent-fields.js';

/** DELETE of an agent: it stays, inactive, and its sessions stay readable. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
@Injectable()
export class DeactivateAgent {
  constructor(private readonly agents: AgentStore) {}

  async execute(tenantId: string, id: number, expected: ExpectedVersions): Promise<void> {
    const options = { expected, onlyActive: true };
    requireChanged(await this.agents.update(tenantId, id, { is_active: false }, options));
  }
}
