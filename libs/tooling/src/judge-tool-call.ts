import type { JsonValue } from '#libs/kernel';
import { errorResult } from './function-call-result.js';
import { parseAndValidateToolArgs } from './parse-and-validate-tool-args.js';
import { parseToolArguments } from './parse-tool-arguments.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import type { ToolEffect } from './tool-definition.js';

export type CallVerdict =
  | { readonly kind: 'run'; readonly effect: ToolEffect; readonly input: JsonValue }
  /** Not run; `output` tells the model why. */
  | { readonly kind: 'refuse'; readonly output: string };

/**
 * Decides whether a call may run: its arguments are JSON (S0-34), the agent has such a tool (S0-35), and the arguments
 * fit the tool's schema (S2-37), checked in this order.
 */
export function judgeToolCall(
  call: { readonly toolName: string; readonly arguments: string },
  catalogue: ToolCatalogue,
  offered: ReadonlySet<string>,
): CallVerdict {
  const parsed = parseToolArguments(call.arguments);
  if (!parsed.success) return { kind: 'refuse', output: `tool arguments parse error: ${parsed.error}` };
  const tool = offered.has(call.toolName) ? catalogue.find(call.toolName) : undefined;
  if (!tool) return { kind: 'refuse', output: `there is not a tool named ${call.toolName}` };
  const validated = parseAndValidateToolArgs(parsed.data, tool.input, tool.label);
  if (!validated.success) return { kind: 'refuse', output: JSON.stringify(errorResult(validated.error)) };
  return { kind: 'run', effect: tool.effect, input: validated.data as JsonValue };
}
