import type { JsonValue } from '#libs/kernel';
import { checkParameterOptions } from './check-parameter-options.js';
import { parseErrorText, unknownToolText } from './fixed-texts.js';
import { errorResult } from './function-call-result.js';
import { invalidParametersText } from './parse-and-validate-tool-args.js';
import { parseToolArguments } from './parse-tool-arguments.js';
import type { OpenedScope } from './opened-scope.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import type { RefusalReason } from './refusal-reason.js';
import type { OnUnknown, ToolEffect } from './tool-definition.js';
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
 * Decides whether a call may run: its arguments are JSON (S0-34), the run has such a tool (S0-35), parameters with options
 * keep to them (S0-36), and the arguments fit the tool's schema (S2-37), checked in this order.
 *
 * @param catalogue what the run may call
 */
export function judgeToolCall(
  call: { readonly toolName: string; readonly arguments: string },
  catalogue: ToolCatalogue,
): CallVerdict {
  const parsed = parseToolArguments(call.arguments);
  if (!parsed.success) return invalid(parseErrorText(parsed.error));
  const tool = catalogue.find(call.toolName);
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

function invalid(output: string): CallVerdict {
  return { kind: 'refuse', reason: 'invalid_arguments', output };
}
