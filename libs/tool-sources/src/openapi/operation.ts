import type { JsonObject } from '#libs/kernel';
import type { ToolEffect } from '#libs/tooling';
import type { Located } from './located.js';

export const METHODS = ['get', 'head', 'put', 'delete', 'post', 'patch', 'options'] as const;
export type Method = (typeof METHODS)[number];

export const PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type Place = (typeof PLACES)[number];

export const STYLES = [
  ...(['simple', 'label', 'matrix', 'form', 'spaceDelimited'] as const),
  ...(['pipeDelimited', 'deepObject'] as const),
] as const;
export type Style = (typeof STYLES)[number];

/** Serialization style of a composite value. */
export interface Writing {
  readonly style: Style;
  /** True to write each part separately. */
  readonly explode: boolean;
  /** True to leave reserved characters such as `/` and `?` unescaped. */
  readonly allowReserved: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Located | null;
  /** `json`: the value is sent as JSON. */
  readonly writing: Writing | 'json';
}

/** Encoding of a body: `bytes` and `text` are one value, the others consist of fields. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'bytes' | 'text';

export interface OperationBody {
  readonly isRequired: boolean;
  readonly mediaType: string;
  readonly kind: BodyKind;
  readonly schema: Located | null;
  /** Encoding of form fields, if the description specifies it. */
  readonly fields: ReadonlyMap<string, FieldWriting>;
}

export interface FieldWriting {
  readonly writing: Writing | null;
  readonly contentType: string | null;
}

/** An operation of a description, which becomes a tool. */
export interface Operation {
  /** `operationId`, or made of method and path (3.I-12); unique within the description. */
  readonly name: string;
  readonly method: Method;
  /** Path template, e.g. `/users/{userId}`. */
  readonly path: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: readonly Parameter[];
  readonly body: OperationBody | null;
  /** Header for the idempotency key; null if the description has none. */
  readonly keyHeader: string | null;
  /** URL of its first server; null if it names none. */
  readonly serverUrl: string | null;
  /** Alternative sets of security schemes, by name; null if the description names none. */
  readonly security: readonly (readonly string[])[] | null;
}

/** Transmission of one security scheme's value. */
export type SecurityScheme =
  | { readonly kind: 'key'; readonly in: 'query' | 'header' | 'cookie'; readonly name: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' };

/** The used parts of a description. */
export interface Service {
  readonly operations: readonly Operation[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Omitted parts with the reason, e.g. `#/paths/~1a/get: …`. */
  readonly faults: readonly string[];
}

/** JSON Schema of an operation's arguments, with the place of each one. */
export interface OperationArguments {
  readonly inputSchema: JsonObject;
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  /** Simplifications of the schema; each one continues the sentence "its body …". */
  readonly losses: readonly string[];
  /** True if additional arguments become fields of the body. */
  readonly isOpen: boolean;
}

export type ArgumentPlace =
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  /** A field of the body; `isBytes`: the model writes it in base64. */
  | { readonly kind: 'field'; readonly name: string; readonly isBytes: boolean }
  | { readonly kind: 'body'; readonly isBytes: boolean };
