// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { defineTool } from '#libs/kit';
import { z } from 'zod';
import { LOOKUP_TOOL, WAIT_TOOL } from '../../programs/bench-tools.mjs';

/** Waits for the requested time, inside the process. */
export const waitTool = defineTool({
  name: WAIT_TOOL,
  description: 'Waits.',
  effect: 'read',
  input: z.object({ milliseconds: z.number() }),
  limits: { timeoutMs: 10_000 },
  run: async ({ milliseconds }) => {
    if (milliseconds > 0) await delay(milliseconds);
    return 'waited';
  },
});

/** Calls a slow server: the tool of the agent job. */
export const lookupTool = defineTool({
  name: LOOKUP_TOOL,
  description: 'Looks something up.',
  effect: 'read',
  input: z.object({ q: z.string() }),
  limits: { timeoutMs: 10_000 },
  run: async () => (await fetch(process.env.BENCH_TOOL_URL ?? '')).text(),
});
