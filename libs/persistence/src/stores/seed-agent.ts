import type { EntityManager } from 'typeorm';
import { AgentEntity, type UsecaseType } from '../entities/agent.entity.js';
import { LlmEntity } from '../entities/llm.entity.js';

export interface SeedAgent {
  readonly name: string;
  readonly usecaseType: UsecaseType;
  readonly systemPrompt: string;
  /** Names of built-in tools. */
  readonly tools: readonly string[];
}

/** Makes the tenant's model configuration "default" and its agents, or brings them up to date; by name. */
export async function seedAgents(
  manager: EntityManager,
  tenantId: string,
  model: string,
  agents: readonly SeedAgent[],
): Promise<void> {
  const llms = manager.getRepository(LlmEntity);
  const known = await llms.findOneBy({ tenantId, name: 'default' });
  const llm = await llms.save(
    Object.assign(known ?? new LlmEntity(), { tenantId, name: 'default', provider: 'openai', model }),
  );
  const repository = manager.getRepository(AgentEntity);
  for (const agent of agents) {
    const existing = await repository.findOneBy({ tenantId, name: agent.name });
    await repository.save(
      Object.assign(existing ?? new AgentEntity(), toColumns(agent), { tenantId, llmId: llm.id }),
    );
  }
}

function toColumns({ name, usecaseType, systemPrompt, tools }: SeedAgent): Partial<AgentEntity> {
  return { name, usecaseType, systemPrompt, tools: { builtin: tools } };
}
