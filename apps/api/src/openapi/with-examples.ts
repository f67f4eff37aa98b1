import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_KEY } from '../http/zod-dto.js';

type Content = Record<string, { schema?: unknown; example?: unknown }>;
interface Described {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Adds the example of each schema to the bodies and answers that use it. */
export function withExamples(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, { [EXAMPLE_KEY]?: unknown }>;
  const examples = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (!(EXAMPLE_KEY in schema)) continue;
    examples.set(`#/components/schemas/${name}`, schema[EXAMPLE_KEY]);
    Reflect.deleteProperty(schema, EXAMPLE_KEY);
  }
  for (const item of Object.values(document.paths)) {
    for (const { requestBody, responses } of Object.values(item as Record<string, Described>)) {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      for (const content of contents) {
        const json = content?.['application/json'];
        const reference = referenceOf(json?.schema);
        if (json !== undefined && examples.has(reference)) json.example ??= examples.get(reference);
      }
    }
  }
  return document;
}

/** The schema of a body, or the first of several alternatives. */
function referenceOf(schema: unknown): string {
  const { $ref, oneOf = [] } = (schema ?? {}) as { $ref?: string; oneOf?: { $ref?: string }[] };
  return $ref ?? oneOf.find((one) => one.$ref !== undefined)?.$ref ?? '';
}
