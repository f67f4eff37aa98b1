import type { JsonObject, JsonValue } from '#libs/kernel';
import type { ToolCatalogue } from '#libs/tooling';
import type { FieldError } from '../http/invalid-request.error.js';
import { pointerTo } from '../http/pointer.js';

/** What is wrong with the tools that an agent names. */
export function findToolFaults(tools: JsonObject, catalogue: ToolCatalogue): FieldError[] {
  const { builtin } = tools;
  if (builtin === undefined) return [];
  if (!isList(builtin)) return [{ pointer: '#/tools/builtin', detail: 'must be a list of tool names' }];
  return findUnknown(builtin, ['tools', 'builtin'], catalogue);
}

/** What is wrong with the tools whose calls are to wait for a person; `field` says where in the body the options stand. */
export function findApprovalFaults(
  options: JsonObject,
  field: 'config' | 'options' | 'extra',
  catalogue: ToolCatalogue,
  agents: readonly string[] = [],
): FieldError[] {
  const names = options['require_approval'];
  return isList(names) ? findUnknown(names, [field, 'require_approval'], catalogue, agents) : [];
}

function findUnknown(
  names: readonly JsonValue[],
  path: readonly string[],
  catalogue: ToolCatalogue,
  agents: readonly string[] = [],
): FieldError[] {
  const known = [...catalogue.names(), ...agents];
  const detail = `must be the name of a tool: ${known.join(', ')}`;
  return names.flatMap((name, index) =>
    typeof name === 'string' && known.includes(name) ? [] : { pointer: pointerTo([...path, index]), detail },
  );
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
