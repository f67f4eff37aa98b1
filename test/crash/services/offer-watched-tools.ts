import { Client } from 'pg';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';

/** Lets the seeded agent, 1, call the watched tools, and has its model play the scripts that inputs carry. */
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
