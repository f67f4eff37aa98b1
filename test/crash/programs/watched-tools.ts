import { defineTool, type ToolContext, type ToolDefinition, type ToolEffect } from '#libs/tooling';
import { z } from 'zod';

/** The tools of the effect server, by effect. */
export const WATCHED_TOOLS = {
  read: 'watched_read',
  idempotent: 'watched_upsert',
  unsafe: 'watched_charge',
} as const satisfies Record<ToolEffect, string>;

const inputSchema = z.object({
  item: z.string(),
  /** Milliseconds between the effect and the answer. */
  delay_ms: z.number().int().nullable(),
  /** Answer an error instead: before the effect or after it. */
  fail: z.enum(['before_effect', 'after_effect']).nullable(),
});
export type WatchedInput = z.infer<typeof inputSchema>;

/** The request of a watched tool to the effect server. */
export interface EffectRequest {
  readonly tool: string;
  readonly executionId: string;
  readonly callKey: string;
  readonly pid: number;
  /** The parent process; of an isolated attempt, its worker. */
  readonly parentPid: number;
  readonly input: WatchedInput;
}

const TIMEOUT_MS = 60_000;

/** Tools with effects at `serverUrl`, which counts them. `effects` replaces the declared effects in a control. */
export function watchedTools(
  serverUrl: string,
  effects: Partial<Record<ToolEffect, ToolEffect>> = {},
): ToolDefinition[] {
  return (Object.keys(WATCHED_TOOLS) as ToolEffect[]).map((effect) =>
    defineTool({
      name: WATCHED_TOOLS[effect],
      label: WATCHED_TOOLS[effect].replace('_', ' '),
      description: `A tool of effect "${effect}" whose every call is counted.`,
      effect: effects[effect] ?? effect,
      input: inputSchema,
      timeoutMs: TIMEOUT_MS,
      run: async (input, context) => {
        const answer = await call(serverUrl, WATCHED_TOOLS[effect], input, context);
        return { result: { status: 'success', result: { message: 'done', number: answer.number } } };
      },
    }),
  );
}

async function call(
  serverUrl: string,
  tool: string,
  input: WatchedInput,
  { executionId, idempotencyKey, signal }: ToolContext,
): Promise<{ number: number }> {
  const body: EffectRequest = {
    tool,
    executionId,
    callKey: idempotencyKey,
    pid: process.pid,
    parentPid: process.ppid,
    input,
  };
  const response = await fetch(serverUrl, {
    method: 'POST',
    headers: { 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`the effect server answered ${response.status}`);
  return (await response.json()) as { number: number };
}
