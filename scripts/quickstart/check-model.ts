import { z } from 'zod';
import type { ApiClient } from './api-client.ts';

const AGENTS = z.array(z.object({ name: z.string(), llm: z.number() }));
const LLM = z.object({ model: z.string() });
const VALIDATION = z.object({
  outcome: z.enum(['works', 'key_refused', 'unreachable', 'unknown_model', 'unusable']),
  checks: z.array(z.object({ message: z.string().nullable() })),
});
type Validation = z.infer<typeof VALIDATION>;

const OR_SIMULATE =
  'Or take OPENAI_API_KEY and OPENAI_BASE_URL out of .env and of the environment: then a simulated model answers.';

/**
 * Validates the model of an agent before its first execution, since the error of a failed execution does not say how to fix
 * a first setup.
 * @throws {Error} with instructions
 */
export async function checkModel(client: ApiClient, agentName: string): Promise<void> {
  const agents = await client.get('/api/agents/', AGENTS);
  const llm = agents.find(({ name }) => name === agentName)?.llm;
  if (llm === undefined) return;
  const { model } = await client.get(`/api/llms/${llm}/`, LLM);
  const validation = await client.post(`/api/llms/${llm}/validate/`, {}, VALIDATION);
  if (validation.outcome !== 'works') throw new Error(whatToDo(validation, model));
}

/** Pure: instructions for each outcome that is not `works`. */
export function whatToDo({ outcome, checks }: Validation, model: string): string {
  const said = checks.map(({ message }) => message).find((message) => message !== null) ?? 'no reason given';
  switch (outcome) {
    case 'key_refused':
      return `The model provider does not accept the key: ${said}.\nPut a key that works into OPENAI_API_KEY. ${OR_SIMULATE}`;
    case 'unreachable':
      return `The model provider cannot be reached: ${said}.\nLook at OPENAI_BASE_URL and at the network. ${OR_SIMULATE}`;
    case 'unknown_model':
      return `The model provider does not have the model ${model}: ${said}.\nSet DEFAULT_MODEL to one that it has, or change the model configuration where you have done so before. ${OR_SIMULATE}`;
    default:
      return `The model ${model} cannot be used: ${said}.\n${OR_SIMULATE}`;
  }
}
