// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { defineDomain, defineTool } from '#libs/tooling';
import { z } from 'zod';
import { LOOKUP_TOOL, WAIT_TOOL } from './bench-tools.mjs';

/** Takes as long as it is asked to, without leaving the process. */
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

/** Asks a server that takes its time: the tool of the agent job. */
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

/** What the bench adds to the service, in the way of any domain. */
export const benchDomain = defineDomain({
  name: 'bench',
  tools: () => [waitTool, lookupTool],
});
