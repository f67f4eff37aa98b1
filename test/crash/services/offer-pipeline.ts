import { Client } from 'pg';
import { WATCHED_TOOLS } from '../programs/watched-tools.js';
import { scriptedAs } from './scripted-as.js';

const ITEMS_SCHEMA = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string' } } },
  required: ['items'],
  additionalProperties: false,
};
const { idempotent, unsafe } = WATCHED_TOOLS;
const watched = (item: string) => ({ item, delay_ms: null, fail: null });
const call = (name: string, item: string) => ({ calls: [{ name, arguments: watched(item) }] });

/** A step of every kind. A branch skips `refuse`, a condition skips `never`. */
const stepsCalling = (agent: number): readonly object[] => [
  { name: 'sort', kind: 'llm', prompt: scriptedAs('sort', [{ text: 'order' }]), tools: [] },
  {
    name: 'choose',
    kind: 'branch',
    cases: [{ when: { value: '/steps/sort', equals: 'order' }, then: 'call' }],
    otherwise: 'end',
  },
  { name: 'refuse', kind: 'tool', tool: unsafe, arguments: watched('refused') },
  {
    name: 'call',
    kind: 'agent',
    agent,
    prompt: scriptedAs('call', [call(unsafe, 'called'), { text: '{"items": ["a", "b", "c"]}' }]),
    output_schema: ITEMS_SCHEMA,
  },
  {
    name: 'charge',
    kind: 'map',
    over: '/steps/call/items',
    do: { kind: 'tool', tool: unsafe, arguments: watched('{{/item}}') },
  },
  {
    name: 'put',
    kind: 'map',
    over: '/steps/call/items',
    concurrency: 2,
    do: {
      kind: 'llm',
      prompt: scriptedAs('put', [call(idempotent, '{{/item}}'), { text: 'put {{/item}}' }]),
      tools: [idempotent],
    },
  },
  { name: 'never', kind: 'llm', prompt: 'x', when: { value: '/steps/sort', equals: 'spam' } },
  { name: 'close', kind: 'llm', prompt: scriptedAs('close', [{ text: 'all is charged' }]), tools: [] },
];

/** Adds an agent with a step of every kind; returns its id. The API does not know the tools, so the row is inserted. */
export async function offerPipeline(databaseUrl: string): Promise<number> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const tools = JSON.stringify({ builtin: [idempotent, unsafe] });
  const add = async (name: string, usecase: string, config: object): Promise<number> => {
    const { rows } = await database.query<{ id: number }>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, tools, config)
       SELECT tenant_id, $1, $2, llm_id, $3, $4 FROM agent WHERE id = 1 RETURNING id`,
      [name, usecase, tools, JSON.stringify(config)],
    );
    return rows[0]?.id ?? 0;
  };
  try {
    const called = await add('called by a step', 'BASIC_CHAT', {});
    return await add('steps of every kind', 'CUSTOM', { steps: stepsCalling(called) });
  } finally {
    await database.end();
  }
}
