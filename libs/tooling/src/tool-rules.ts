import type { ToolDefinition } from './tool-definition.js';

/**
 * What happens when nobody knows whether a call took effect. `halt`: the execution fails. `ask`: a person says whether it
 * happened. `inform`: the model is told to find out, and an equal call is not run again.
 */
export type OnUnknown = 'halt' | 'ask' | 'inform';

/** Which calls wait for a person's decision. A function must be pure: after a crash it is asked again. */
export type ApprovalRule<Input> = 'never' | 'always' | ((input: Input) => boolean);

/** Bytes of UTF-8. About 16 000 tokens. */
export const DEFAULT_MAX_OUTPUT_BYTES = 65_536;

export function maxOutputBytesOf(tool: ToolDefinition): number {
  return tool.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
}

export function onUnknownOf(tool: ToolDefinition): OnUnknown {
  return tool.onUnknown ?? 'halt';
}

/** Fails closed: where the tool's own rule throws, a person decides. */
export function needsApproval(tool: ToolDefinition, input: unknown): boolean {
  const rule = tool.approval ?? 'never';
  if (typeof rule === 'string') return rule === 'always';
  try {
    return rule(input);
  } catch {
    return true;
  }
}
