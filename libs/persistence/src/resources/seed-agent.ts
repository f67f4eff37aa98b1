import { AppError, type JsonObject } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import type { UsecaseType } from '../entities/agent.entity.js';
import { queryRows } from '../sql.js';
import { ensureTenant } from './tenant.store.js';

/** Model configuration of agents that name no model. */
const DEFAULT_CONFIGURATION = 'default';

export interface SeedAgent {
  readonly name: string;
  readonly usecaseType: UsecaseType;
  readonly systemPrompt: string;
  /** Name of a model configuration, or of a model; default: the configuration `default`. */
  readonly model?: string;
  /** Names of built-in tools. */
  readonly tools: readonly string[];
  /** @param idOf ids of the agents before it, by name */
  readonly config?: (idOf: (agent: string) => number) => JsonObject;
}

/** A model at its provider. */
export interface SeedModel {
  readonly provider: string;
  readonly model: string;
}

/**
 * Creates or updates the tenant's model configuration "default" and its agents, by name. Rows that were changed through the
 * API stay as they are.
 *
 * @param findModel the model of that name or short name; null for an unknown one
 * @throws {AppError} `INVALID_CONFIGURATION` if an agent names a model that is neither configured nor known
 * @returns names of rows that stay as they are, as `agent "salesAgent"`
 */
export async function seedAgents(
  manager: EntityManager,
  tenantId: string,
  model: SeedModel,
  agents: readonly SeedAgent[],
  findModel: (name: string) => SeedModel | null = () => null,
): Promise<string[]> {
  // Two concurrent seeds would both find a row missing, and create it twice.
  await queryRows(manager, `SELECT pg_advisory_xact_lock(hashtext('seed'), hashtext($1))::text`, [tenantId]);
  await ensureTenant(manager, tenantId);
  const llm = await saveByName(manager, 'llm', tenantId, DEFAULT_CONFIGURATION, { ...model });
  const kept = llm.isKept ? ['model configuration "default"'] : [];
  const ids = new Map<string, number>();
  for (const agent of agents) {
    const { id, isKept } = await saveByName(manager, 'agent', tenantId, agent.name, {
      usecase_type: agent.usecaseType,
      system_prompt: agent.systemPrompt,
      tools: JSON.stringify({ builtin: agent.tools }),
      config: JSON.stringify(agent.config?.((name) => requireId(ids, name)) ?? {}),
      llm_id: agent.model === undefined ? llm.id : await findLlm(manager, tenantId, agent, findModel),
    });
    ids.set(agent.name, id);
    if (isKept) kept.push(`agent "${agent.name}"`);
  }
  return kept;
}

/** Id of the configuration that the agent names; one is made of the model that it names instead. */
async function findLlm(
  manager: EntityManager,
  tenantId: string,
  { name, model = DEFAULT_CONFIGURATION }: Pick<SeedAgent, 'name' | 'model'>,
  findModel: (name: string) => SeedModel | null,
): Promise<number> {
  const [found] = await queryRows<{ id: number }>(
    manager,
    'SELECT id FROM llm WHERE tenant_id = $1 AND name = $2 ORDER BY id LIMIT 1',
    [tenantId, model],
  );
  if (found) return found.id;
  const known = findModel(model);
  if (known !== null) return (await saveByName(manager, 'llm', tenantId, model, { ...known })).id;
  throw new AppError({
    code: 'INVALID_CONFIGURATION',
    kind: 'invalid_input',
    message:
      `the agent "${name}" names the model "${model}": the tenant "${tenantId}" has no model configuration of that name, ` +
      'and no provider has a model or a short name of it (GET /api/models/)',
  });
}

function requireId(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id !== undefined) return id;
  throw new AppError({
    code: 'DOMAIN_INVALID',
    kind: 'internal',
    message: `no agent "${name}" is made before the one that calls it`,
  });
}

interface SavedRow {
  readonly id: number;
  /** True where the row was changed through the API and differs from the seed. */
  readonly isKept: boolean;
}

/** Changes these columns and no others. */
async function saveByName(
  manager: EntityManager,
  table: 'llm' | 'agent',
  tenantId: string,
  name: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<SavedRow> {
  const names = Object.keys(columns);
  const places = names.map((_column, index) => `$${index + 3}`);
  const parameters = [tenantId, name, ...Object.values(columns)];
  const isOther = `(${names.join(', ')}) IS DISTINCT FROM (${places.join(', ')})`;
  // A change through the API sets updated_at, this one does not, which distinguishes them.
  const [changed] = await queryRows<{ id: number }>(
    manager,
    `UPDATE ${table} SET ${names.map((column, index) => `${column} = ${places[index]}`).join(', ')},
            version = version + CASE WHEN ${isOther} THEN 1 ELSE 0 END
      WHERE id = (SELECT min(id) FROM ${table} WHERE tenant_id = $1 AND name = $2) AND updated_at = created_at
     RETURNING id`,
    parameters,
  );
  if (changed) return { id: changed.id, isKept: false };
  const [found] = await queryRows<SavedRow>(
    manager,
    `SELECT id, ${isOther} AS "isKept" FROM ${table}
      WHERE id = (SELECT min(id) FROM ${table} WHERE tenant_id = $1 AND name = $2)`,
    parameters,
  );
  if (found) return found;
  const [made] = await queryRows<{ id: number }>(
    manager,
    `INSERT INTO ${table} (tenant_id, name, ${names.join(', ')})
     VALUES (${parameters.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
    parameters,
  );
  if (!made) throw new Error('an inserted row was not answered');
  return { id: made.id, isKept: false };
}
