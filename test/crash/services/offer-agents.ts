import { Client } from 'pg';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';

/** The agents that the caller can call, each with its watched tools. */
export const CALLED_AGENTS = {
  /** The clerk's calls need the approval of a person. */
  clerk: { tools: [WATCHED_TOOLS.unsafe], config: { require_approval: [WATCHED_TOOLS.unsafe] } },
  scout: { tools: [WATCHED_TOOLS.read, WATCHED_TOOLS.idempotent], config: {} },
  scribe: { tools: [], config: {} },
} as const;
export type CalledAgent = keyof typeof CALLED_AGENTS;

/** Adds an agent that calls the others; returns its id. */
export async function offerAgents(databaseUrl: string): Promise<number> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const add = async (name: string, tools: object, config: object): Promise<number> => {
    const { rows } = await database.query<{ id: number }>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, system_prompt, tools, config)
       SELECT tenant_id, $1, usecase_type, llm_id, $2, $3, $4 FROM agent WHERE id = 1 RETURNING id`,
      [name, `You are the ${name}.`, JSON.stringify(tools), JSON.stringify(config)],
    );
    return rows[0]?.id ?? 0;
  };
  try {
    const agents: object[] = [];
    for (const [name, { tools, config }] of Object.entries(CALLED_AGENTS))
      agents.push({ agent: await add(name, { builtin: tools }, config), name, description: name });
    return await add('caller', { agents }, {});
  } finally {
    await database.end();
  }
}
