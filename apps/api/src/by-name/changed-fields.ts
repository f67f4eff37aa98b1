import { canonicalJson, type JsonValue } from '#libs/kernel';

/** Names of the fields that differ from those of a view, in the order of `fields`. Pure. */
export function changedFields(
  view: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(fields).filter((name) => textOf(fields[name]) !== textOf(view[name]));
}

/** Undefined counts as null. */
function textOf(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value ?? null)) as JsonValue);
}
