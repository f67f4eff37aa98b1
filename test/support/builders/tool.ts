import { defineTool, type KeptData, type ToolDefinition, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';

/** The data that a built tool may bake and stage. */
const KEEPS: KeptData = {
  baked: z.strictObject({ receiptId: z.number().int() }),
  staged: new Map([['receipt.saved', z.object({})]]),
};

/** A tool without input that answers the result of `run`; it may bake a `receiptId` and stage a `receipt.saved`. */
export function aTool(
  name: string,
  overrides: Partial<Pick<ToolDefinition, 'effect' | 'timeoutMs' | 'onUnknown' | 'isForeign'>> & {
    run?: ToolDefinition['run'];
  } = {},
): ToolDefinition {
  const done: ToolReturn = { result: { status: 'success', result: { message: `${name} done` } } };
  const tool = defineTool({
    name,
    label: name,
    description: `The tool ${name}.`,
    effect: 'read',
    input: z.object({}),
    timeoutMs: 5_000,
    run: () => Promise.resolve(done),
    ...overrides,
  });
  return { ...tool, keeps: KEEPS };
}
