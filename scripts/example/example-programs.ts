/** An example program below `examples`, which uses a running Capstan. */
export interface ExampleProgram {
  readonly name: string;
  /** Path from the root. */
  readonly file: string;
  /** Description in one sentence. */
  readonly does: string;
  /** Arguments or input; empty for none. */
  readonly takes: string;
}

export const EXAMPLE_PROGRAMS: readonly ExampleProgram[] = [
  {
    name: 'approval',
    file: 'examples/approval/approve.ts',
    does: 'Takes an order whose saving a person has to agree to, and decides.',
    takes: '["the order"] [--refuse "why"]',
  },
  {
    name: 'ask-the-docs',
    file: 'examples/ask-the-docs/ask.ts',
    does: 'Gives the documents of this repository to an agent, asks it, and shows where the answer comes from.',
    takes: '["the question"] [--folder PATH]',
  },
  {
    name: 'chat',
    file: 'examples/chat/chat.ts',
    does: 'Talks to an agent in one conversation, a line of the input for each message.',
    takes: '(messages as input, a line each)',
  },
  {
    name: 'offer-desk',
    file: 'examples/offer-desk/run.ts',
    does: 'Has an agent of several steps make an offer, and shows what each step came to.',
    takes: '["what is wanted"]',
  },
  {
    name: 'order-entry',
    file: 'examples/order-entry/send-order.ts',
    does: 'Drafts an order, corrects and confirms it as a person would, and sends it to an ordering service.',
    takes: '["the order"]',
  },
  {
    name: 'order-review',
    file: 'examples/order-review/run.ts',
    does: 'Has a draft of an order reviewed, and ends with 1 where a person has to look at it.',
    takes: '[DRAFT.json]',
  },
  {
    name: 'order-workflow',
    file: 'examples/order-workflow/run.ts',
    does: 'Takes an order through fixed steps with a review by another agent, and shows the report.',
    takes: '[ORDER.txt] [--file PATH] [--account NUMBER]',
  },
  {
    name: 'ordering-service',
    file: 'examples/order-entry/ordering-service/main.ts',
    does: 'Serves as the ordering service of a tenant: takes each order once, and keeps it in a file.',
    takes: '[PORT] [FILE]',
  },
  {
    name: 'support-desk',
    file: 'examples/support-desk/ask.ts',
    does: 'Writes to a support desk as a customer would, and decides over refunds as a colleague would.',
    takes: '["the message"] [--refuse "why"]',
  },
  {
    name: 'tool-servers',
    file: 'examples/tool-servers/run.ts',
    does: 'Has an agent of its own look an order up by an MCP server and send a parcel by an HTTP service.',
    takes: '',
  },
];

/** One line for each example. */
export function listExamplePrograms(): string {
  return EXAMPLE_PROGRAMS.map(({ name, takes, does }) =>
    [`  npm run example -- ${name} ${takes}`.trimEnd(), `      ${does}`].join('\n'),
  ).join('\n');
}
