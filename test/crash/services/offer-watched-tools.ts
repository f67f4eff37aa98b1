import { Client } from 'pg';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';

/** Lets agent 1 of the seed call the watched tools, with a model that plays the scripts in its inputs. */
export async function offerWatchedTools(databaseUrl: string): Promise<void> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const tools = { builtin: ['search_items', ...Object.values(WATCHED_TOOLS)] };
    await database.query(`UPDATE agent SET tools = $1, system_prompt = 'Be brief.' WHERE id = 1`, [
      JSON.stringify(tools),
    ]);
    await database.query(`UPDATE llm SET model = 'sim-script'`);
  } finally {
    await database.end();
  }
}
