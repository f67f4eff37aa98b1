import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import { mapSubschemas, referredTo, subschemasOf } from './subschemas.js';

/**
 * Replaces each reference to an enclosing schema by that schema's type, so that recursion is described one level deep.
 * Other references stay.
 */
export function cutRecursion(root: JsonObject): JsonObject {
  const back = new Set<JsonObject>();
  findBackReferences(root, root, back, new Set(), new Set());
  if (back.size === 0) return root;
  const cut = (schema: JsonObject): JsonObject => {
    if (!back.has(schema)) return mapSubschemas(schema, cut);
    const { $ref, ...others } = schema;
    return {
      ...typeOf(typeof $ref === 'string' ? referredTo($ref, root) : undefined),
      ...mapSubschemas(others, cut),
    };
  };
  return cut(root);
}

function findBackReferences(
  schema: JsonValue,
  root: JsonObject,
  back: Set<JsonObject>,
  around: Set<JsonObject>,
  seen: Set<JsonObject>,
): void {
  if (!isJsonObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  around.add(schema);
  for (const inner of subschemasOf(schema)) findBackReferences(inner, root, back, around, seen);
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? referredTo($ref, root) : undefined;
  if (isJsonObject(target) && around.has(target)) back.add(schema);
  else if (target !== undefined) findBackReferences(target, root, back, around, seen);
  around.delete(schema);
}

function typeOf(target: JsonValue | undefined): JsonObject {
  if (!isJsonObject(target)) return {};
  const { type, properties } = target;
  const description = `the same again, nested; its fields: ${fieldsOf(properties)}`;
  return {
    ...(type !== undefined && { type }),
    ...(isJsonObject(properties) && { type: 'object', description }),
  };
}

const MAX_FIELDS = 20;

function fieldsOf(properties: JsonValue | undefined): string {
  return isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_FIELDS).join(', ') : '';
}
