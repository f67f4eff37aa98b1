// @ts-check
/**
 * Creates an agent with its own model configuration.
 * @param {import('../load/http-client.mjs').LoadClient} api
 * @param {string} model of the simulator
 * @param {{tools?: readonly string[], config?: object, credentials?: object}} [options] credentials of the model
 *   configuration
 * @returns {Promise<{id: number, executePath: string}>}
 */
export async function makeAgent(api, model, { tools = [], config = {}, credentials = {} } = {}) {
  const llm = await api.post('/api/llms/', { name: `bench ${model}`, model, credentials });
  const agent = await api.post('/api/agents/', {
    name: `bench ${model}`,
    usecase_type: 'BASIC_CHAT',
    llm: llm.id,
    tools: { builtin: tools },
    config,
  });
  return { id: agent.id, executePath: `/api/agents/${agent.id}/execute/` };
}
