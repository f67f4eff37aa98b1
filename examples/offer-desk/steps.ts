/**
 * Pipeline of the agent: it searches the items, describes each in a line, and offers them, or apologises without results.
 */
export const STEPS = [
  {
    name: 'find',
    kind: 'tool',
    tool: 'search_items',
    arguments: { query: '{{/input}}', limit: 3 },
    retry: { max_attempts: 2 },
  },
  {
    name: 'describe',
    kind: 'map',
    over: '/steps/find/items',
    do: { kind: 'llm', prompt: 'Write one line for a customer about this item: {{/item}}', tools: [] },
    concurrency: 3,
  },
  {
    name: 'choose',
    kind: 'branch',
    cases: [{ when: { value: '/steps/describe/0', exists: true }, then: 'offer' }],
    otherwise: 'apologise',
  },
  { name: 'offer', kind: 'llm', prompt: 'Offer these to the customer:\n{{/steps/describe}}', tools: [] },
  { name: 'done', kind: 'branch', cases: [{ when: { value: '/steps/offer', exists: true }, then: 'end' }] },
  { name: 'apologise', kind: 'llm', prompt: 'Say that we have no {{/input}}.', tools: [] },
] as const;

/** JSON template of the answer, for programs. */
export const OUTPUT_FORMAT = {
  json: {
    asked: '{{/input}}',
    items: '{{/steps/find/items}}',
    offer: '{{/steps/offer}}',
    apology: '{{/steps/apologise}}',
  },
} as const;

/** Requires either an offer or an apology, not both. */
export const VALIDATION_RULES = [
  {
    require: {
      any: [
        { value: '/answer/offer', exists: true },
        { value: '/answer/apology', exists: true },
      ],
    },
    message: 'nothing was said to the customer',
  },
  {
    when: { value: '/answer/offer', exists: true },
    require: { value: '/answer/apology', exists: false },
    message: 'the customer would read an offer and an apology',
  },
] as const;
