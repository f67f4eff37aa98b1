import { Injectable } from '@nestjs/common';
import {
  AgentStore,
  LlmStore,
  type AgentFields,
  type AgentView,
  type Named,
  type Versioned,
} from '#libs/persistence';
import { CheckAgent } from '../agents/agents.checks.js';
import { llmNotFound } from '../agents/agents.errors.js';
import { ByName } from './apply-by-name.js';
import { changedFields } from './changed-fields.js';

/** Agents by name; an inactive one that bears it is changed where no active one does. */
@Injectable()
export class AgentsByName extends ByName<AgentFields, AgentView> {
  readonly kind = 'agents';

  constructor(
    private readonly agents: AgentStore,
    private readonly llms: LlmStore,
    private readonly checkAgent: CheckAgent,
  ) {
    super();
  }

  find(tenantId: string, name: string): Promise<Named<Versioned<AgentView>>> {
    return this.agents.findByName(tenantId, name);
  }

  async check(tenantId: string, fields: AgentFields): Promise<void> {
    await this.requireLlm(tenantId, fields.llm);
    await this.checkAgent.execute(tenantId, fields);
  }

  async compare(
    tenantId: string,
    { view: before }: Versioned<AgentView>,
    fields: AgentFields,
  ): Promise<string[]> {
    const changed = changedFields({ ...before }, { ...fields });
    if (changed.includes('llm')) await this.requireLlm(tenantId, fields.llm);
    if (changed.length > 0) await this.checkAgent.execute(tenantId, fields, { id: before.id });
    return changed;
  }

  async create(tenantId: string, fields: AgentFields): Promise<Versioned<AgentView> | null> {
    const creation = await this.agents.createUnlessNamed(tenantId, fields);
    if (creation?.kind === 'llm_not_found') throw llmNotFound();
    return creation;
  }

  async replace(
    tenantId: string,
    { view, version }: Versioned<AgentView>,
    fields: AgentFields,
  ): Promise<Versioned<AgentView> | null> {
    const options = { expected: [version], onlyActive: false };
    const change = await this.agents.update(tenantId, view.id, fields, options);
    if (change.kind === 'llm_not_found') throw llmNotFound();
    return change.kind === 'changed' ? change : null;
  }

  private async requireLlm(tenantId: string, id: number): Promise<void> {
    if ((await this.llms.find(tenantId, id)) === null) throw llmNotFound();
  }
}
