import { z } from 'zod';
import { defineTool, type ToolDefinition, type ToolOutput } from '#libs/tooling';
import { aTool } from '../../support/builders/tool.js';

/** Text of a tool's failure, which only the audit may show. */
export const SECRET_OF_TOOL = 'password=hunter2';

const OUTPUTS: readonly ToolOutput[] = [
  { type: 'text', text: 'Made. ' },
  { type: 'link', url: 'https://example.test/a' },
  { type: 'image_link', url: 'https://example.test/b.png' },
  { type: 'image', source: 'https://example.test/c.png' },
  { type: 'blob', base64: 'aGk=', mimeType: 'text/plain', filename: 'hi.txt' },
];

function giving(name: string, outputs: readonly ToolOutput[]): ToolDefinition {
  const result = { status: 'success' as const, result: {} };
  return aTool(name, { run: () => Promise.resolve({ result, outputs }) });
}

/** Tools of the agents in golden runs. */
export const GOLDEN_TOOLS: readonly ToolDefinition[] = [
  aTool('look'),
  aTool('list'),
  aTool('count'),
  aTool('weigh'),
  aTool('explode', { run: () => Promise.reject(new Error(SECRET_OF_TOOL)) }),
  defineTool({
    name: 'paint',
    label: 'paint',
    description: 'Paints in a colour.',
    effect: 'read',
    input: z.object({ colour: z.string() }),
    parameterOptions: { colour: ['red', 'green'] },
    timeoutMs: 5_000,
    run: ({ colour }) => Promise.resolve({ result: { status: 'success', result: { colour } } }),
  }),
  giving('publish', OUTPUTS),
  giving('escape', [{ type: 'image', source: '/files/../etc/passwd' }]),
];

/** Output of a plain tool as the model reads it. */
export const done = (name: string): string =>
  JSON.stringify({ status: 'success', result: { message: `${name} done` } });

/** Output of a plain tool as clients see it, without `message`, which is for the model (S2-20). */
export const DONE = '{"status":"success","result":{}}';

export const PUBLISHED =
  'Made. result link: https://example.test/a. please tell user to check it.' +
  'image generated and sent to user. Tell user to review it now.' +
  'image generated and sent to user. Tell user to review it now.' +
  'Generated file ... ';
