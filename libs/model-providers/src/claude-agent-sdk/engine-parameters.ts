import type { JsonObject } from '#libs/kernel';
import { InvalidModelParameterError, type ParameterRules } from '#libs/payloads';
import { messagesParameters } from '../wire/messages/messages-parameters.js';

/** Parameters of the Messages API that the engine has no option for, and values that say nothing. */
const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
  temperature: [],
  top_p: [],
  top_k: [],
  stop: [],
  user: [],
  prompt_cache: ['5m'],
  tool_choice: ['auto'],
  parallel_tool_calls: [true, 'true'],
  enable_stream: [true, 'true'],
};

/** Parameters of the Messages API as far as the engine takes them (S3-27). */
export const engineParameters: ParameterRules = {
  names: messagesParameters.names,
  described: messagesParameters.described.filter(({ name }) => !Object.hasOwn(REFUSED, name)),
  findFaults: (parameters) => [...messagesParameters.findFaults(parameters), ...refusedOf(parameters)],
};

function refusedOf(parameters: JsonObject): InvalidModelParameterError[] {
  return Object.entries(REFUSED).flatMap(([field, harmless]) => {
    const value = parameters[field];
    const isGiven = value !== undefined && value !== null && value !== '' && !isEmptyList(value);
    return isGiven && !harmless.includes(value)
      ? [
          new InvalidModelParameterError(
            field,
            `${field} is not supported by the Claude Agent SDK: leave it out`,
          ),
        ]
      : [];
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
