import type { Capstan } from '../client/index.js';
import { UsageError } from './explain-error.js';

/** Id of an agent that is given by its id or its name. */
export async function findAgent(client: Capstan, given: string, signal: AbortSignal): Promise<number> {
  if (/^\d+$/.test(given)) return Number(given);
  const found: number[] = [];
  for await (const { id, name } of client.agents.list({}, { signal })) if (name === given) found.push(id);
  const [only, ...others] = found;
  if (only === undefined)
    throw new UsageError(`There is no agent "${given}". An agent is named by its id or its name.`);
  if (others.length === 0) return only;
  throw new UsageError(`Several agents are called "${given}": ${found.join(', ')}. Give the id.`);
}
