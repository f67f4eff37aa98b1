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

/** How a value that has parts is written as text. */
export interface Writing {
  readonly style: Style;
  /** Whether each part is written by itself. */
  readonly explode: boolean;
  /** Whether what an address keeps for itself, such as `/` and `?`, stays as it is. */
  readonly allowReserved: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: Located | null;
  /** `json`: the value goes as JSON. */
  readonly writing: Writing | 'json';
}

/** How a body is written: `bytes` and `text` are one value, the others have fields. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'bytes' | 'text';

export interface OperationBody {
  readonly isRequired: boolean;
  readonly mediaType: string;
  readonly kind: BodyKind;
  readonly schema: Located | null;
  /** Of a field in a form: how it is written, where the description says so. */
  readonly fields: ReadonlyMap<string, FieldWriting>;
}

export interface FieldWriting {
  readonly writing: Writing | null;
  readonly contentType: string | null;
}

/** One operation of a description: what becomes a tool. */
export interface Operation {
  /** `operationId`, or of method and path (3.I-12); unique within the description. */
  readonly name: string;
  readonly method: Method;
  /** As the description writes it, `/users/{userId}`. */
  readonly path: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly parameters: readonly Parameter[];
  readonly body: OperationBody | null;
  /** The header in which the idempotency key of a call goes; null where the description has none. */
  readonly keyHeader: string | null;
  /** The first of its servers; null where it names none. */
  readonly serverUrl: string | null;
  /** The security schemes of which one set is enough, each by its names; null where the description says nothing. */
  readonly security: readonly (readonly string[])[] | null;
}

/** How one security scheme is sent. */
export type SecurityScheme =
  | { readonly kind: 'key'; readonly in: 'query' | 'header' | 'cookie'; readonly name: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' };

/** All that is used of a description. */
export interface Service {
  readonly operations: readonly Operation[];
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** What is left out, and why: `#/paths/~1a/get: …`. */
  readonly faults: readonly string[];
}

/** JSON Schema of the arguments of an operation, and where each of them goes. */
export interface OperationArguments {
  readonly inputSchema: JsonObject;
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  /** Why a model sees less than the description says; each continues "its body …". */
  readonly losses: readonly string[];
  /** Whether arguments that nothing names are fields of the body. */
  readonly isOpen: boolean;
}

export type ArgumentPlace =
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  /** A field of the body; `isBytes`: written in base64 by the model. */
  | { readonly kind: 'field'; readonly name: string; readonly isBytes: boolean }
  | { readonly kind: 'body'; readonly isBytes: boolean };
