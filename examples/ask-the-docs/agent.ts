import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiClient } from '../../scripts/quickstart/api-client.ts';
import type { Datasource } from './datasource.ts';

const AGENT = z.object({ id: z.int(), name: z.string() });
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  finished_at: z.string().nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: z
    .object({
      message: z.object({ content: z.string() }),
      citations: z.array(
        z.object({
          chunk_id: z.int(),
          title: z.string(),
          score: z.number(),
          rank: z.int(),
          snippet: z.string(),
        }),
      ),
    })
    .nullable(),
});
type Answered = NonNullable<z.infer<typeof EXECUTION>['result']>;

/** The agent for this datasource, from an earlier run or newly created. */
export async function provideAgent(client: ApiClient, datasource: Datasource): Promise<number> {
  const name = `Librarian of ${datasource.name}`;
  const known = (await client.get('/api/agents/', z.array(AGENT))).find((agent) => agent.name === name);
  if (known !== undefined) return known.id;
  const fields = {
    ...{ name, usecase_type: 'RAG_CHAT', llm: datasource.llm_id },
    system_prompt: 'Answer in two or three sentences. Where the passages do not say it, say so.',
    config: { datasource_ids: [datasource.id], top_k: 3 },
  };
  return (await client.post('/api/agents/', fields, AGENT)).id;
}

/**
 * The agent's answer, and the passages it read with a score of at least `scoreThreshold`. Throws where the execution does
 * not complete.
 */
export async function askAgent(
  client: ApiClient,
  agentId: number,
  { question, scoreThreshold }: { readonly question: string; readonly scoreThreshold: number },
): Promise<{ readonly answer: string; readonly citations: Answered['citations'] }> {
  const request = { input: question, options: { score_threshold: scoreThreshold } };
  let execution = await client.post(`/api/agents/${agentId}/execute/`, request, EXECUTION);
  while (execution.finished_at === null) {
    await pause(100);
    execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
  }
  const { status, error, result } = execution;
  if (result === null) throw new Error(`the execution is ${status}: ${error?.message ?? 'no reason given'}`);
  return { answer: result.message.content, citations: result.citations };
}
