import type { Capstan, Execution } from 'capstan/client';
import type { Datasource } from './datasource.ts';

type Citations = NonNullable<Execution['result']>['citations'];

/** The agent for this datasource, from an earlier run or newly created. */
export async function provideAgent(client: Capstan, datasource: Datasource): Promise<number> {
  const wanted = `Librarian of ${datasource.name}`;
  for await (const { id, name } of client.agents.list()) if (name === wanted) return id;
  const agent = await client.agents.create({
    name: wanted,
    usecase_type: 'RAG_CHAT',
    llm: datasource.llm_id,
    system_prompt: 'Answer in two or three sentences. Where the passages do not say it, say so.',
    config: { datasource_ids: [datasource.id], top_k: 3 },
  });
  return agent.id;
}

/**
 * The agent's answer, and the passages it read with a score of at least `scoreThreshold`. Throws where the execution does
 * not complete.
 */
export async function askAgent(
  client: Capstan,
  agentId: number,
  { question, scoreThreshold }: { readonly question: string; readonly scoreThreshold: number },
): Promise<{ readonly answer: string; readonly citations: Citations }> {
  const request = { input: question, options: { score_threshold: scoreThreshold } };
  const { execution } = await client.run(agentId, request);
  const { result } = execution;
  return { answer: result?.message.content ?? '', citations: result?.citations ?? [] };
}
