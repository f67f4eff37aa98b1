// Agent loop for systems without one: call the model, call its tools, repeat; each call is a step of the system.
import OpenAI from 'openai';

const client = new OpenAI({ apiKey: 'bench', baseURL: process.env.MODEL_URL });
const TOOLS = [
  {
    type: 'function',
    name: 'lookup',
    description: 'Looks something up.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { q: { type: 'string' } },
      required: ['q'],
      additionalProperties: false,
    },
  },
];
const MAX_ROUNDS = 8;

/**
 * @param {string} text of the user
 * @param {(name: string, work: () => Promise<any>) => Promise<any>} step keeps what `work` answers
 * @returns {Promise<string>}
 */
export async function runAgentLoop(text, step) {
  const input = [{ role: 'user', content: text }];
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const output = await step(`model ${round}`, async () => {
      const answer = await client.responses.create({
        model: 'gpt-5-mini',
        input,
        tools: TOOLS,
        store: false,
      });
      return answer.output;
    });
    input.push(...output);
    const calls = output.filter((/** @type {any} */ item) => item.type === 'function_call');
    if (calls.length === 0) return output[0].content[0].text;
    for (const { call_id } of calls) {
      const found = await step(`tool ${call_id}`, async () => (await fetch(process.env.TOOL_URL)).text());
      input.push({ type: 'function_call_output', call_id, output: found });
    }
  }
  throw new Error('the model came to no end');
}
