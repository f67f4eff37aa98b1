import type { EntityManager } from 'typeorm';
import type { UsecaseType } from '../entities/agent.entity.js';
import { queryRows } from '../sql.js';
import { ensureTenant } from './tenant.store.js';

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
  model: { readonly provider: string; readonly model: string },
  agents: readonly SeedAgent[],
): Promise<void> {
  await ensureTenant(manager, tenantId);
  const llmId = await saveByName(manager, 'llm', tenantId, 'default', {
    provider: model.provider,
    model: model.model,
  });
  for (const agent of agents) {
    await saveByName(manager, 'agent', tenantId, agent.name, {
      usecase_type: agent.usecaseType,
      system_prompt: agent.systemPrompt,
      tools: JSON.stringify({ builtin: agent.tools }),
      llm_id: llmId,
    });
  }
}

/** Changes these columns and no others; answers the id. */
async function saveByName(
  manager: EntityManager,
  table: 'llm' | 'agent',
  tenantId: string,
  name: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<number> {
  const names = Object.keys(columns);
  const places = names.map((_column, index) => `$${index + 3}`);
  const parameters = [tenantId, name, ...Object.values(columns)];
  const [changed] = await queryRows<{ id: number }>(
    manager,
    `UPDATE ${table} SET updated_at = now(), ${names.map((column, index) => `${column} = ${places[index]}`).join(', ')},
            version = version + CASE WHEN (${names.join(', ')}) IS DISTINCT FROM (${places.join(', ')}) THEN 1 ELSE 0 END
      WHERE id = (SELECT min(id) FROM ${table} WHERE tenant_id = $1 AND name = $2) RETURNING id`,
    parameters,
  );
  if (changed) return changed.id;
  const [made] = await queryRows<{ id: number }>(
    manager,
    `INSERT INTO ${table} (tenant_id, name, ${names.join(', ')})
     VALUES (${parameters.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
    parameters,
  );
  if (!made) throw new Error('an inserted row was not answered');
  return made.id;
}
