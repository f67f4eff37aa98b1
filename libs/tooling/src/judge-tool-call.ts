import type { JsonValue } from '#libs/kernel';
import { checkParameterOptions } from './check-parameter-options.js';
import { parseErrorText, unknownToolText } from './fixed-texts.js';
import { errorResult } from './function-call-result.js';
import { parseAndValidateToolArgs } from './parse-and-validate-tool-args.js';
import { parseToolArguments } from './parse-tool-arguments.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import type { RefusalReason } from './refusal-reason.js';
import type { OnUnknown, ToolEffect } from './tool-definition.js';
import { needsApproval, onUnknownOf } from './tool-rules.js';

/** By which agent a call is run, as its caller knows it, and what it is asked. */
export interface OpenedScope {
  readonly agentId: number;
  readonly name: string;
  readonly input: string;
}

export type CallVerdict =
  | {
      readonly kind: 'run';
      readonly effect: ToolEffect;
      readonly input: JsonValue;
      /** Only once a person has agreed. */
      readonly needsApproval?: boolean;
      /** By default `halt`. */
      readonly onUnknown?: OnUnknown;
      /** The call is run as a loop of its own. */
      readonly opens?: OpenedScope;
    }
  /** Not run; `output` tells the model why. */
  | { readonly kind: 'refuse'; readonly reason: RefusalReason; readonly output: string };

/**
 * Decides whether a call may run: its arguments are JSON (S0-34), the agent has such a tool (S0-35), parameters with
 * options keep to them (S0-36), and the arguments fit the tool's schema (S2-37), checked in this order.
 */
export function judgeToolCall(
  call: { readonly toolName: string; readonly arguments: string },
  catalogue: ToolCatalogue,
  offered: ReadonlySet<string>,
): CallVerdict {
  const parsed = parseToolArguments(call.arguments);
  if (!parsed.success) return invalid(parseErrorText(parsed.error));
  const tool = offered.has(call.toolName) ? catalogue.find(call.toolName) : undefined;
  if (!tool) return { kind: 'refuse', reason: 'unknown_tool', output: unknownToolText(call.toolName) };
  const optioned = checkParameterOptions(parsed.data, tool.parameterOptions ?? {});
  if (!optioned.success) return invalid(optioned.error);
  const validated = parseAndValidateToolArgs(optioned.data, tool.input, tool.label);
  if (!validated.success) return invalid(JSON.stringify(errorResult(validated.error)));
  return {
    kind: 'run',
    effect: tool.effect,
    input: validated.data as JsonValue,
    needsApproval: needsApproval(tool, validated.data),
    onUnknown: onUnknownOf(tool),
  };
}

function invalid(output: string): CallVerdict {
  return { kind: 'refuse', reason: 'invalid_arguments', output };
}
