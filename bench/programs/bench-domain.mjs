// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { defineDomain, defineTool } from '#libs/tooling';
import { z } from 'zod';
import { LOOKUP_TOOL, WAIT_TOOL } from './bench-tools.mjs';

/** Waits for the requested time, inside the process. */
const waitTool = defineTool({
  name: WAIT_TOOL,
  label: 'wait',
  description: 'Waits.',
  effect: 'read',
  input: z.object({ milliseconds: z.number() }),
  timeoutMs: 10_000,
  run: async ({ milliseconds }) => {
    if (milliseconds > 0) await delay(milliseconds);
    return { result: { status: 'success', result: { message: 'waited' } } };
  },
});

/** Calls a slow server: the tool of the agent job. */
const lookupTool = defineTool({
  name: LOOKUP_TOOL,
  label: 'look up',
  description: 'Looks something up.',
  effect: 'read',
  input: z.object({ q: z.string() }),
  timeoutMs: 10_000,
  run: async () => {
    const answer = await fetch(process.env.BENCH_TOOL_URL ?? '');
    return { result: { status: 'success', result: { message: await answer.text() } } };
  },
});

/** The bench's additions to the service, as a domain. */
export const benchDomain = defineDomain({
  name: 'bench',
  tools: () => [waitTool, lookupTool],
});
