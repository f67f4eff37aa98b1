import { readFileSync } from 'node:fs';

/** A JSON Schema in `openapi.json`. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> };
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface OperationObject {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

type Shared = Readonly<Record<string, object>>;
const SHARED = /^#\/components\/(responses|parameters)\/(\w+)$/;

/** One operation: a method of a path. */
export interface Operation {
  /** E.g. `GET /api/agents/{id}/`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Null if it takes no body. */
  readonly bodySchema: JsonSchema | null;
  readonly isOpenToAll: boolean;
  /** The scope that a key needs; null where any key is let in, or none is asked for. */
  readonly scope: string | null;
  /** The media types of each documented status; empty if an answer has no body. */
  readonly mediaTypes: ReadonlyMap<number, readonly string[]>;
}

/**
 * Reads the checked-in documents of the service and of the examples as one, with shared responses and parameters in place of
 * the references to them; another test compares the documents with the code.
 */
export function readOpenApiDocument(): OpenApiDocument {
  const [service, examples] = ['openapi.json', 'examples/openapi.json'].map(readWhole);
  return {
    paths: { ...service?.paths, ...examples?.paths },
    // Data of messages and codes of errors are those of an installation with the examples.
    components: { schemas: { ...service?.components.schemas, ...examples?.components.schemas } },
  };
}

function readWhole(file: string): OpenApiDocument {
  const text = readFileSync(file, 'utf8');
  const { components } = JSON.parse(text) as { components: Readonly<Record<string, Shared>> };
  return JSON.parse(text, (_key, value: unknown) => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    const [, kind = '', name = ''] = SHARED.exec(typeof reference === 'string' ? reference : '') ?? [];
    return components[kind]?.[name] ?? value;
  }) as OpenApiDocument;
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => toOperation(path, method.toUpperCase(), operation)),
  );
}

function toOperation(path: string, method: string, operation: OperationObject): Operation {
  const responses = Object.entries(operation.responses);
  return {
    name: `${method} ${path}`,
    method,
    path,
    parameters: operation.parameters ?? [],
    bodySchema: operation.requestBody?.content['application/json']?.schema ?? null,
    isOpenToAll: operation.security?.length === 0,
    scope: operation.security?.[0]?.['bearer']?.[0] ?? null,
    mediaTypes: new Map(
      responses.map(([status, { content }]) => [Number(status), Object.keys(content ?? {})]),
    ),
  };
}

/** The JSON pointer to the schema of an answer's body. */
export function schemaPointer({ path, method }: Operation, status: number, mediaType: string): string {
  const places = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  ];
  return places.map((place) => `/${encodeURIComponent(escapePointer(place))}`).join('');
}

/** Follows the reference of a schema. */
export function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`openapi.json has no schema ${name}`);
  return found;
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
