import { Injectable } from '@nestjs/common';
import { AgentStore } from '#libs/persistence';
import { FindActiveAgent } from './find-active-agent.use-case.js';

/** DELETE of an agent: it stays, inactive, and its sessions stay readable. */
@Injectable()
export class DeactivateAgent {
  constructor(
    private readonly findActive: FindActiveAgent,
    private readonly agents: AgentStore,
  ) {}

  async execute(tenantId: string, id: number): Promise<void> {
    await this.findActive.execute(tenantId, id);
    await this.agents.update(tenantId, id, { is_active: false });
  }
}
