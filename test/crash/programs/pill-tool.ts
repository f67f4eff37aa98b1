import { defineTool, type ToolDefinition } from '#libs/tooling';
import { z } from 'zod';

export const PILL_TOOL = 'watched_pill';

const inputSchema = z.object({ how: z.enum(['exit', 'heap']) });
export type PillInput = z.infer<typeof inputSchema>;

/** A tool that ends whatever process runs it: it exits, or takes all memory that the process may have. */
export function pillTool(): ToolDefinition {
  return defineTool({
    name: PILL_TOOL,
    label: 'watched pill',
    description: 'A tool that nobody survives.',
    effect: 'read',
    input: inputSchema,
    timeoutMs: 60_000,
    run: ({ how }) => (how === 'exit' ? process.exit(PILL_EXIT_CODE) : exhaustMemory()),
  });
}

const PILL_EXIT_CODE = 7;

function exhaustMemory(): never {
  const taken: unknown[] = [];
  for (;;) taken.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
}
