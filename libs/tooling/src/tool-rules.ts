import type { OnUnknown } from '#libs/kit';
import type { ToolDefinition } from './tool-definition.js';

/** Bytes of UTF-8, about 16 000 tokens. */
const DEFAULT_MAX_OUTPUT_BYTES = 65_536;

export function maxOutputBytesOf(tool: ToolDefinition): number {
  return tool.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
}

export function onUnknownOf(tool: ToolDefinition): OnUnknown {
  return tool.onUnknown ?? 'halt';
}

/** Fails closed: if the tool's rule throws, the call needs approval. */
export function needsApproval(tool: ToolDefinition, input: unknown): boolean {
  const rule = tool.approval ?? 'never';
  if (typeof rule === 'string') return rule === 'always';
  try {
    return rule(input);
  } catch {
    return true;
  }
}
