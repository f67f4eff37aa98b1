import { defineTool, type ToolDefinition } from '#libs/tooling';
import { z } from 'zod';

/** Tools that end the process which runs them, by how they do it. */
export const POISON_TOOLS = ['exit_process', 'exhaust_heap', 'block_for_ever'] as const;
export type PoisonTool = (typeof POISON_TOOLS)[number];

const DEATHS: Readonly<Record<PoisonTool, () => void>> = {
  exit_process: () => process.exit(1),
  exhaust_heap: () => {
    const hoard: number[][] = [];
    for (;;) hoard.push(new Array<number>(1_000_000).fill(hoard.length + 0.5));
  },
  block_for_ever: () => {
    for (;;);
  },
};

/** Poison tools, of effect `read`: a repeatable call is not settled as unknown after its first death. */
export function poisonTools(): ToolDefinition[] {
  return POISON_TOOLS.map((name) =>
    defineTool({
      name,
      label: name,
      description: 'Ends the process that runs it.',
      effect: 'read',
      input: z.object({}),
      timeoutMs: 60_000,
      run: () => {
        DEATHS[name]();
        return Promise.reject(new Error('unreachable'));
      },
    }),
  );
}
