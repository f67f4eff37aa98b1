import { toStorableText } from '#libs/kernel';

/**
 * What a model reads where no tool answered. Nothing here carries the text of an exception: the reason stays with the
 * operators (S0-37).
 */

/** A tool threw or took too long (S0-37, S1-71). */
export const FAILED_CALL_TEXT = 'tool invoke error: failed to execute tool';

/** The same call failed before in this run (S0-38, S1-72). */
export const REPEATED_FAILURE_TEXT = 'tool invoke error: repeated failure detected; skipped duplicate call';

/** The worker died while the call ran, or it did not answer in time. */
export const UNKNOWN_OUTCOME_TEXT = 'it is not known whether this call took effect';

/** The same, where the model shall go on: see `OnUnknown`. */
export const UNKNOWN_OUTCOME_ADVICE_TEXT =
  'it is not known whether this call took effect; find out before you go on, since the same call is not run again';

/** A person says that the call took effect, and nothing more. */
export const REPORTED_OUTCOME_TEXT = 'a person confirmed that this call took effect';

/** The outcome of an equal call is not known, so this one is not run. */
export const REPEATED_UNKNOWN_TEXT =
  'tool invoke error: an equal call may have taken effect already; skipped duplicate call';

/** The call ran to its end and took effect; what the tool returned is of no use. */
export const UNREADABLE_RETURN_TEXT =
  'the call was carried out, but what it answered cannot be read; do not repeat it';

/** A file under `/files` could not be handed to the user; says nothing about why or where (3.D-12). */
export const FAILED_IMAGE_TEXT = 'Failed to process generated image file.';
export const FAILED_FILE_TEXT = 'Failed to process generated file.';

/** @param reason what `parseToolArguments` says (S0-34) */
export function parseErrorText(reason: string): string {
  return `tool arguments parse error: ${reason}`;
}

/** The agent has no such tool (S0-35, S1-69). */
export function unknownToolText(toolName: string): string {
  return `there is not a tool named ${shortened(toolName)}`;
}

/** A value is none of the options of its parameter (S0-36, S1-70). `value` and `options` come as JSON. */
export function optionErrorText(parameter: string, value: string, options: string): string {
  return `tool arguments validation error: parameter '${parameter}' value ${shortened(value)} not in options ${options}`;
}

/** The last permitted round runs no calls (S0-14). */
export function iterationLimitText(toolName: string, maximumIterations: number): string {
  return `Maximum iteration limit (${maximumIterations}) reached. Cannot call tool '${shortened(toolName)}'. Please consider increasing the iteration limit.`;
}

/** Only so many calls of one round are run. */
export function roundCallLimitText(maximum: number): string {
  return `Too many tool calls at once: only the first ${maximum} of a round are run. Ask for this one again later.`;
}

/** Only so many calls of one execution are run. */
export function executionCallLimitText(maximum: number): string {
  return `Tool call limit (${maximum} per execution) reached. Finish with what you have.`;
}

/** Agents may call agents, but only so deep. */
export function agentDepthLimitText(maximum: number): string {
  return `Agents may call each other ${maximum} levels deep at most. Do this one's work yourself.`;
}

/** Only so many agents are called in one execution. */
export function agentCallLimitText(maximum: number): string {
  return `Agent call limit (${maximum} per execution) reached. Finish with what you have.`;
}

/** What the run was given under this name is not there any more: a release has changed it meanwhile. */
export function changedToolText(name: string): string {
  return `the tool ${name} has changed since this run began, and cannot be called in it any more; go on without it`;
}

/** The agent that was called is gone, inactive or misconfigured since its caller was written. */
export const AGENT_UNUSABLE_TEXT = 'this agent cannot be called at the moment';

const LONGEST_QUOTE = 200;

/** What a model made up is quoted, but not at any length. */
function shortened(text: string): string {
  return toStorableText(text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`);
}
