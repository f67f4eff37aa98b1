import { defineTool, type ToolDefinition, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';

/** A tool that takes nothing and answers what `run` says. */
export function aTool(
  name: string,
  overrides: Partial<Pick<ToolDefinition, 'effect' | 'timeoutMs' | 'onUnknown'>> & {
    run?: ToolDefinition['run'];
  } = {},
): ToolDefinition {
  const done: ToolReturn = { result: { status: 'success', result: { message: `${name} done` } } };
  return defineTool({
    name,
    label: name,
    description: `The tool ${name}.`,
    effect: 'read',
    input: z.object({}),
    timeoutMs: 5_000,
    run: () => Promise.resolve(done),
    ...overrides,
  });
}
