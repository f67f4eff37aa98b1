import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { invalidRequest } from '../http/api-error.js';
import type { FunctionTool, ToolChoice } from './request-schema.js';

/** Refuses duplicate tool names, strict tools with a schema that is not strict, and a choice of a missing tool. */
export function checkTools(tools: readonly FunctionTool[], choice: ToolChoice): void {
  const names = tools.map((tool) => tool.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw invalidRequest(
      `Duplicate function name: '${twice}'. Tool names must be unique.`,
      'tools',
      'invalid_value',
    );
  }
  tools.forEach((tool, index) => {
    if (tool.strict === true) checkStrict(tool.parameters ?? null, tool.name, index);
  });
  if (choice === 'required' && tools.length === 0) {
    throw invalidRequest("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice');
  }
  if (typeof choice === 'object' && choice.type === 'function' && !names.includes(choice.name)) {
    throw invalidRequest(
      `Tool choice 'function' '${choice.name}' not found in 'tools' parameter.`,
      'tool_choice',
    );
  }
}

function checkStrict(parameters: JsonObject | null, toolName: string, index: number): void {
  const reason = parameters === null ? "'parameters' is missing" : findLooseObject(parameters, []);
  if (reason === null) return;
  const message = `Invalid schema for function '${toolName}': ${reason}.`;
  throw invalidRequest(message, `tools[${index}].parameters`, 'invalid_function_parameters');
}

/** Strict schemas require closed objects with all properties required. Returns the fault, or null. */
function findLooseObject(node: JsonValue, path: readonly string[]): string | null {
  if (Array.isArray(node)) {
    return firstReason(node.map((item: JsonValue, index) => findLooseObject(item, [...path, `${index}`])));
  }
  if (!isJsonObject(node)) return null;
  if (node['type'] === 'object') {
    const context = `In context=(${path.map((key) => `'${key}'`).join(', ')})`;
    if (node['additionalProperties'] !== false) {
      return `${context}, 'additionalProperties' is required to be supplied and to be false`;
    }
    const required = Array.isArray(node['required']) ? node['required'] : [];
    const properties = isJsonObject(node['properties']) ? Object.keys(node['properties']) : [];
    const missing = properties.find((key) => !required.includes(key));
    if (missing !== undefined) {
      return (
        `${context}, 'required' is required to be supplied and to be an array including every key in properties. ` +
        `Missing '${missing}'`
      );
    }
  }
  return firstReason(Object.entries(node).map(([key, value]) => findLooseObject(value, [...path, key])));
}

function firstReason(reasons: readonly (string | null)[]): string | null {
  return reasons.find((reason) => reason !== null) ?? null;
}
