import { createZodDto as createLibraryDto } from 'nestjs-zod';
import type { z } from 'zod';

type Metadata = Record<string, { readonly type?: unknown }>;
interface Described {
  _OPENAPI_METADATA_FACTORY: (this: Described) => Metadata;
}

/** Schema extension that holds the example; zod drops its own `examples` from a schema that transforms. */
export const EXAMPLE_KEY = 'x-example';

type Dto<Schema extends z.ZodType> = ReturnType<typeof createLibraryDto<Schema>>;
/** The class of a body or an answer, with its example for the OpenAPI document. */
export type DtoWithExample<Schema extends z.ZodType = z.ZodType> = Dto<Schema> & {
  readonly example: z.input<Schema>;
};

/**
 * Creates a class for a schema, for controllers and the OpenAPI document; bodies and answers have an example. The library
 * describes a bare nullable field as an array, since zod writes `type: ["string", "null"]` (BenLorantfy/nestjs-zod#473).
 */
export function createZodDto<Schema extends z.ZodType>(schema: Schema): Dto<Schema>;
export function createZodDto<Schema extends z.ZodType>(
  schema: Schema,
  example: z.input<Schema>,
): DtoWithExample<Schema>;
export function createZodDto<Schema extends z.ZodType>(
  schema: Schema,
  example?: z.input<Schema>,
): Dto<Schema> {
  const dto = createLibraryDto(
    example === undefined ? schema : schema.meta({ ...schema.meta(), [EXAMPLE_KEY]: example }),
  );
  const output = Object.getOwnPropertyDescriptor(dto, 'Output');
  if (output?.get === undefined) throw new Error('nestjs-zod has changed: a DTO has no Output');
  const outputs = new Map<typeof dto, typeof dto.Output>();
  Object.defineProperty(dto, 'Output', {
    /** Cached for each subclass, since the library creates a new class at every access. */
    get(this: typeof dto): typeof dto.Output {
      const made = outputs.get(this) ?? describeNullables(output.get?.call(this) as typeof dto.Output);
      outputs.set(this, made);
      return made;
    },
  });
  return Object.assign(describeNullables(dto), { example });
}

function describeNullables<Dto extends object>(dto: Dto): Dto {
  const { _OPENAPI_METADATA_FACTORY: describe } = dto as Described;
  let metadata: Metadata | undefined;
  return Object.assign(dto, {
    _OPENAPI_METADATA_FACTORY(this: Described): Metadata {
      metadata ??= Object.fromEntries(
        Object.entries(describe.call(this)).map(([name, field]) => [name, unfold(field)]),
      );
      return structuredClone(metadata);
    },
  });
}

/** Rewrites a type list to the `anyOf` that zod writes for other nullable fields. */
function unfold(field: Metadata[string]): Metadata[string] {
  if (!Array.isArray(field.type)) return field;
  const anyOf = field.type.map((type: unknown) => ({ type }));
  // The library's marker for a field with its type in another keyword.
  return { ...field, type: '', anyOf, 'x-nestjs_zod-empty-type': true } as Metadata[string];
}
