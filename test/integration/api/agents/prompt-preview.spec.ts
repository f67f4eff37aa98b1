import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const preview = (json: object): Promise<Answer> => ask(api.url, '/api/agents/prompt-preview/', { json });

it('an agent without a strategy has its instruction as it is, and one without an instruction no prompt', async () => {
  expect(await preview({ system_prompt: 'Be brief.' })).toMatchObject({
    status: 200,
    body: { text: 'Be brief.', layers: [{ name: 'agent', text: 'Be brief.' }] },
  });
  expect(await preview({})).toMatchObject({ status: 200, body: { text: null, layers: [] } });
});

it('a strategy puts its policies around the instruction, with the overrides of the agent', async () => {
  const { body } = await preview({
    system_prompt: 'Be brief.',
    config: { strategy: 'gpt5_react', prompt_policy_overrides: 'Never say maybe.' },
  });
  expect(body.text).toMatch(/^Be brief\.\n\n<persistence>\n[^]*\n\nNever say maybe\.$/);
});

it('a strategy of the model configuration holds where the agent has none', async () => {
  const llm = await ask(api.url, '/api/llms/', {
    json: { name: 'Strategic', model: 'gpt-5', extra: { strategy: 'gpt5_react' } },
  });
  const { body } = await preview({ llm: llm.body.id, system_prompt: 'Be brief.' });
  expect(body.text).toContain('<persistence>');
  const own = await preview({ llm: llm.body.id, system_prompt: 'Be brief.', config: { strategy: null } });
  expect(own.body.text).toBe('Be brief.');
});

it('the prompt of the tenant comes first, and its active skills come last', async () => {
  await api.dataSource.query(`UPDATE tenant SET system_prompt = 'We sell food.' WHERE id = 'default'`);
  for (const [name, is_active] of [
    ['refunds', true],
    ['adverts', true],
    ['old', false],
  ] as const) {
    const json = { name, description: `About ${name}.`, content: 'Do it.', is_active };
    expect(await ask(api.url, '/api/skills/', { json })).toMatchObject({ status: 201 });
  }

  const { body } = await preview({ system_prompt: 'Be brief.' });

  const layers = body.layers as { name: string; text: string }[];
  expect(layers.map(({ name }) => name)).toEqual(['tenant', 'agent', 'skills']);
  expect(layers[2]?.text).toMatch(/- adverts: About adverts\.\n- refunds: About refunds\.\n<\/skills>$/);
  expect(body.text).toBe(layers.map(({ text }) => text).join('\n\n'));
});

it.each([
  [
    { config: { strategy: 'other' } },
    '#/config/strategy',
    'config.strategy: gpt5_function_calling or gpt5_react',
  ],
  [
    { config: { prompt_policy_overrides: 3 } },
    '#/config/prompt_policy_overrides',
    'config.prompt_policy_overrides: a text',
  ],
  [{ llm: 2_000_000_000 }, '#/llm', 'llm: there is no model configuration with this id'],
  [{ name: 'Basic' }, '#/name', 'name: is not a known field'],
])('%j is refused, with the place', async (json, place, detail) => {
  const answer = await preview(json);
  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places: [`pointer ${place}`] });
});
