import { Injectable } from '@nestjs/common';
import { AgentStore, AgentVersionStore, type ExpectedVersions, type Versioned } from '#libs/persistence';
import { agentVersionNotFound } from './agent.faults.js';
import { requireChanged, withWarnings, type WrittenAgent } from './agent-fields.js';
import { CheckAgent } from './check-agent.js';

/**
 * Makes an agent what it was in one of its versions, active or not; that is a change like any other, and so a new version.
 * Judged as if it were written anew: a tool or a model configuration that is gone since is refused.
 */
@Injectable()
export class RestoreAgentVersion {
  constructor(
    private readonly agents: AgentStore,
    private readonly versions: AgentVersionStore,
    private readonly checkAgent: CheckAgent,
  ) {}

  /** Throws `NOT_FOUND`, `VERSION_CHANGED`, and `VALIDATION_ERROR` where the version cannot be had again. */
  async execute(
    tenantId: string,
    id: number,
    version: number,
    expected: ExpectedVersions,
  ): Promise<Versioned<WrittenAgent>> {
    const past = await this.versions.find(tenantId, id, version);
    if (past === null) throw agentVersionNotFound();
    const { id: _id, version: _version, created_at: _createdAt, ...fields } = past;
    const warnings = await this.checkAgent.execute(tenantId, fields, { id });
    const options = { expected, onlyActive: false };
    return withWarnings(requireChanged(await this.agents.update(tenantId, id, fields, options)), warnings);
  }
}
