import { KIND_OF, type Fields, type Kind } from './kinds.js';

type Path = readonly (string | number)[];

/** A place within fields that refers to another resource. */
export interface Mention {
  readonly path: Path;
  readonly to: Kind;
  /** A name in files, an id in answers. */
  readonly value: unknown;
}

/** Every reference of a resource of this kind. Pure. */
export function mentionsOf(kind: Kind, fields: Fields): Mention[] {
  return KIND_OF[kind].references.flatMap(({ path, to }) =>
    placesOf(fields, path, []).map((found) => ({ ...found, to })),
  );
}

/** The fields with each reference replaced; undefined leaves it as it is. Pure. */
export function withReferences(
  kind: Kind,
  fields: Fields,
  replace: (mention: Mention) => string | number | undefined,
): Fields {
  const copy = structuredClone(fields);
  for (const mention of mentionsOf(kind, fields)) {
    const value = replace(mention);
    if (value !== undefined) put(copy, mention.path, value);
  }
  return copy;
}

function placesOf(
  value: unknown,
  [key, ...rest]: readonly string[],
  at: Path,
): { path: Path; value: unknown }[] {
  if (key === undefined) return value === undefined || value === null ? [] : [{ path: at, value }];
  if (key === '*')
    return Array.isArray(value)
      ? value.flatMap((item: unknown, index) => placesOf(item, rest, [...at, index]))
      : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return placesOf((value as Fields)[key], rest, [...at, key]);
}

function put(target: unknown, path: Path, value: string | number): void {
  let holder = target as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1);
  if (last !== undefined) holder[last] = value;
}
