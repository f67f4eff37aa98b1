import type { JsonValue } from '#libs/kernel';
import { checkParameterOptions } from './check-parameter-options.js';
import { parseErrorText, unknownToolText } from './fixed-texts.js';
import { errorResult } from './function-call-result.js';
import { invalidJsonText, invalidParametersText } from './parse-and-validate-tool-args.js';
import {
  parseToolArguments,
  type ParsedArguments,
  type UnreadableArguments,
} from './parse-tool-arguments.js';
import type { OpenedScope } from './opened-scope.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import type { RefusalReason } from './refusal-reason.js';
import type { OnUnknown, ToolDefinition, ToolEffect } from './tool-definition.js';
import { needsApproval, onUnknownOf } from './tool-rules.js';

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
  /** Not run; `output` informs the model why. */
  | { readonly kind: 'refuse'; readonly reason: RefusalReason; readonly output: string };

/**
 * Decides whether a call may run: its arguments are JSON (S0-34, S2-34), the run has such a tool (S0-35), parameters
 * with options keep to them (S0-36), and the arguments fit the tool's schema (S2-37), checked in this order.
 *
 * @param catalogue what the run may call
 * @param parsed the arguments, where they were parsed before
 */
export function judgeToolCall(
  call: { readonly toolName: string; readonly arguments: string },
  catalogue: ToolCatalogue,
  parsed: ParsedArguments = parseToolArguments(call.arguments),
): CallVerdict {
  const tool = catalogue.find(call.toolName);
  if (!parsed.success) return invalid(unreadableText(tool, parsed));
  const readInput = catalogue.readerOf(call.toolName);
  if (!tool || !readInput)
    return { kind: 'refuse', reason: 'unknown_tool', output: unknownToolText(call.toolName) };
  const optioned = checkParameterOptions(parsed.data, tool.parameterOptions ?? {});
  if (!optioned.success) return invalid(optioned.error);
  const read = readInput(optioned.data);
  if (!read.success)
    return invalid(JSON.stringify(errorResult(invalidParametersText(tool.label, read.reasons))));
  return {
    kind: 'run',
    effect: tool.effect,
    input: read.data as JsonValue,
    needsApproval: needsApproval(tool, read.data),
    onUnknown: onUnknownOf(tool),
    ...(tool.opens && { opens: tool.opens(read.data) }),
  };
}

/** Also where there is no such tool: arguments come first (3.D-2). */
function unreadableText(tool: ToolDefinition | undefined, { fault, error }: UnreadableArguments): string {
  if (tool?.answersWith !== 'result') return parseErrorText(error);
  const text =
    fault === 'json' ? invalidJsonText(tool.label, error) : invalidParametersText(tool.label, [error]);
  return JSON.stringify(errorResult(text));
}

function invalid(output: string): CallVerdict {
  return { kind: 'refuse', reason: 'invalid_arguments', output };
}
