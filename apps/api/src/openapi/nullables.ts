import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Writes nullable types uniformly: zod writes `type: ["string", "null"]` for a bare text, and `anyOf` elsewhere. Equal
 * schemas must look equal to share a name.
 */
export function withEqualNullables(document: OpenAPIObject): OpenAPIObject {
  const schemas = unfold(document.components?.schemas ?? {}) as NonNullable<
    NonNullable<OpenAPIObject['components']>['schemas']
  >;
  return { ...document, components: { ...document.components, schemas } };
}

function unfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfold);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, unfold(inner)] as const);
  const { type, ...rest } = Object.fromEntries(entries);
  if (!Array.isArray(type)) return Object.fromEntries(entries);
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) };
}
