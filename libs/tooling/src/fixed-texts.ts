import { toStorableText } from '#libs/kernel';

/**
 * Texts that the model reads when a call has no usable answer. None contains exception text: the reason is logged for
 * operators only (S0-37).
 */

/** The tool threw or timed out (S0-37, S1-71). */
export const FAILED_CALL_TEXT = 'tool invoke error: failed to execute tool';

/** The same call failed before in this run (S0-38, S1-72). */
export const REPEATED_FAILURE_TEXT = 'tool invoke error: repeated failure detected; skipped duplicate call';

/** The worker crashed during the call, or the call timed out. */
export const UNKNOWN_OUTCOME_TEXT = 'it is not known whether this call took effect';

/** The same for tools with `onUnknown: 'inform'`, where the model continues. */
export const UNKNOWN_OUTCOME_ADVICE_TEXT =
  'it is not known whether this call took effect; find out before you go on, since the same call is not run again';

/** A person confirmed that the call took effect, without details. */
export const REPORTED_OUTCOME_TEXT = 'a person confirmed that this call took effect';

/** The outcome of an equal call is not known, so this one is not run. */
export const REPEATED_UNKNOWN_TEXT =
  'tool invoke error: an equal call may have taken effect already; skipped duplicate call';

/** The call took effect, but its return value is unusable. */
export const UNREADABLE_RETURN_TEXT =
  'the call was carried out, but what it answered cannot be read; do not repeat it';

/** A file under `/files` could not be delivered; the text reveals neither the reason nor a path (3.D-12). */
export const FAILED_IMAGE_TEXT = 'Failed to process generated image file.';
export const FAILED_FILE_TEXT = 'Failed to process generated file.';

/** @param reason the reason from `parseToolArguments` (S0-34) */
export function parseErrorText(reason: string): string {
  return `tool arguments parse error: ${reason}`;
}

/** The agent has no such tool (S0-35, S1-69). */
export function unknownToolText(toolName: string): string {
  return `there is not a tool named ${shortened(toolName)}`;
}

/** A parameter's value is not among its options (S0-36, S1-70). `value` and `options` are JSON. */
export function optionErrorText(parameter: string, value: string, options: string): string {
  return `tool arguments validation error: parameter '${parameter}' value ${shortened(value)} not in options ${options}`;
}

/** Calls of the last permitted round are not run (S0-14). */
export function iterationLimitText(toolName: string, maximumIterations: number): string {
  return `Maximum iteration limit (${maximumIterations}) reached. Cannot call tool '${shortened(toolName)}'. Please consider increasing the iteration limit.`;
}

/** Limit of calls per round. */
export function roundCallLimitText(maximum: number): string {
  return `Too many tool calls at once: only the first ${maximum} of a round are run. Ask for this one again later.`;
}

/** Limit of calls per execution. */
export function executionCallLimitText(maximum: number): string {
  return `Tool call limit (${maximum} per execution) reached. Finish with what you have.`;
}

/** Limit of nesting of agent calls. */
export function agentDepthLimitText(maximum: number): string {
  return `Agents may call each other ${maximum} levels deep at most. Do this one's work yourself.`;
}

/** Limit of agent calls per execution. */
export function agentCallLimitText(maximum: number): string {
  return `Agent call limit (${maximum} per execution) reached. Finish with what you have.`;
}

/** A newer release changed the tool of this name after the run began. */
export function changedToolText(name: string): string {
  return `the tool ${name} has changed since this run began, and cannot be called in it any more; go on without it`;
}

/** The called agent was deleted, deactivated or misconfigured after its caller was written. */
export const AGENT_UNUSABLE_TEXT = 'this agent cannot be called at the moment';

const MAX_QUOTE = 200;

/** Quotes model-written text, truncated to 200 characters. */
function shortened(text: string): string {
  return toStorableText(text.length <= MAX_QUOTE ? text : `${text.slice(0, MAX_QUOTE)}…`);
}
