import { AppError, isJsonObject, utf8Length, type JsonObject, type JsonValue } from '#libs/kernel';
import { malformedKeyword } from './malformed-keyword.js';
import { inPlaceSubschemasOf, referredTo, subschemasOf } from './subschemas.js';

/** Maximum bytes of the schema as JSON. */
const MAX_SCHEMA_BYTES = 32_768;
/** Maximum nested schemas, each counted once. */
const MAX_SUBSCHEMAS = 1_000;
/** Maximum nesting of schemas, as written. */
const MAX_DEPTH = 32;

/**
 * Rejects a schema that is too large, invalid or has external references, with an `AppError` that names the fault.
 * Recursion through a field or an item is allowed, because it ends with the value.
 */
export function boundSchema(schema: JsonObject): void {
  if (utf8Length(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    throw unbounded(`must have at most ${MAX_SCHEMA_BYTES} bytes`);
  const found = new Set<JsonObject>();
  collect(schema, schema, found, 1);
  const ended = new Set<JsonObject>();
  for (const inner of found) refuseEndless(inner, schema, ended, new Set());
}

/** Collects every schema that is nested in it or referenced. */
function collect(schema: JsonValue, root: JsonObject, found: Set<JsonObject>, depth: number): void {
  if (typeof schema === 'boolean') return;
  if (!isJsonObject(schema)) throw unbounded('must consist of objects, true and false');
  if (found.has(schema)) return;
  if (depth > MAX_DEPTH) throw unbounded(`must be nested at most ${MAX_DEPTH} levels deep`);
  found.add(schema);
  if (found.size > MAX_SUBSCHEMAS) throw unbounded(`must have at most ${MAX_SUBSCHEMAS} schemas within it`);
  const malformed = malformedKeyword(schema);
  if (malformed !== null) throw unbounded(`has a keyword of the wrong kind: ${malformed}`);
  for (const inner of subschemasOf(schema)) collect(inner, root, found, depth + 1);
  const target = targetOf(schema, root);
  // Also collects reference targets in places where no schema is expected.
  if (target !== null) collect(target, root, found, 2);
}

function refuseEndless(
  schema: JsonValue,
  root: JsonObject,
  ended: Set<JsonObject>,
  path: Set<JsonObject>,
): void {
  if (!isJsonObject(schema) || ended.has(schema)) return;
  if (path.has(schema))
    throw unbounded('must not refer to itself with neither a field nor an item in between');
  path.add(schema);
  const target = targetOf(schema, root);
  for (const inner of inPlaceSubschemasOf(schema)) refuseEndless(inner, root, ended, path);
  if (target !== null) refuseEndless(target, root, ended, path);
  path.delete(schema);
  ended.add(schema);
}

/** Identifiers in nested schemas change the base of `#`; only the root may have one. */
const NAMES: readonly string[] = ['$anchor', '$dynamicAnchor', '$id', 'id'];
const NAMED_REFERENCES: readonly string[] = ['$dynamicRef', '$recursiveRef'];

/** Target of `$ref`; null if there is no `$ref`. */
function targetOf(schema: JsonObject, root: JsonObject): JsonValue | null {
  const unusable = schema === root ? NAMED_REFERENCES : [...NAMED_REFERENCES, ...NAMES];
  for (const keyword of unusable)
    if (typeof schema[keyword] === 'string') throw unbounded(`must not use ${keyword}`);
  const reference = schema['$ref'];
  if (reference === undefined) return null;
  if (typeof reference !== 'string' || !/^#($|\/)/.test(reference))
    throw unbounded('must refer to its own parts only');
  const target = referredTo(reference, root);
  if (target === undefined) throw unbounded(`refers to ${reference}, which is not there`);
  return target;
}

function unbounded(reason: string): AppError {
  return new AppError({
    code: 'TOOL_SCHEMA_INVALID',
    kind: 'internal',
    message: `the input schema ${reason}`,
  });
}
