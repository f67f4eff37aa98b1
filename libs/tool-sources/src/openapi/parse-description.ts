import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { upgrade } from '@scalar/openapi-upgrader';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { OpenApiServerConfig } from '#libs/tooling';
import { DocumentFault } from './document-fault.js';

/** An API description as a tenant gives it: one text, or several files of which one is the root. */
export type DescriptionText = OpenApiServerConfig['document'];

/** A description that was read: OpenAPI 3.0 or 3.1, as it came or made of Swagger 2.0. */
export interface Description {
  /** Name of the root; empty where there is one text. */
  readonly root: string;
  readonly files: ReadonlyMap<string, JsonValue>;
}

/** Values within all files together, each as often as an alias of YAML repeats it. */
const MAX_VALUES = 2_000_000;
/** Entries of one object or list. */
const MAX_ENTRIES = 10_000;
const MAX_DEPTH = 128;
const MAX_ALIASES = 10_000;

/**
 * Reads JSON or YAML. Nothing is fetched, and nothing is looked up on the machine. Throws a `DocumentFault` where a text is
 * neither, is too large or nested too deeply, or says no version that is known.
 */
export function parseDescription(text: DescriptionText): Description {
  const [root, texts] =
    typeof text === 'string' ? ['', { '': text }] : [text.root, text.files satisfies Record<string, string>];
  const bounds = { values: 0 };
  const files = new Map<string, JsonValue>();
  for (const [name, content] of Object.entries(texts)) {
    const parsed = parseText(name, content);
    assertBounded(parsed, name, bounds, 1);
    files.set(name, parsed as JsonValue);
  }
  files.set(root, asVersion3(root, files.get(root)));
  return { root, files };
}

function parseText(file: string, text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML writes objects in braces too, and says the line of what is wrong.
    }
  }
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    throw new DocumentFault(`${file}#`, `must be JSON or YAML${whereIn(error)}`);
  }
}

function whereIn(error: unknown): string {
  if (!(error instanceof YAMLException)) return '';
  const line = error.mark === undefined ? '' : ` in line ${error.mark.line + 1}`;
  return `; the parser stopped${line}: ${error.reason}`;
}

/** Aliases of YAML may repeat a value any number of times, or put it into itself. */
function assertBounded(value: unknown, file: string, bounds: { values: number }, depth: number): void {
  bounds.values += 1;
  if (bounds.values > MAX_VALUES)
    throw new DocumentFault(`${file}#`, `must have at most ${MAX_VALUES} values, aliases followed`);
  if (depth > MAX_DEPTH)
    throw new DocumentFault(`${file}#`, `must be nested at most ${MAX_DEPTH} levels deep, aliases followed`);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DocumentFault(`${file}#`, 'must not have numbers that JSON cannot say, such as .inf and .nan');
  if (typeof value !== 'object' || value === null) return;
  const inner = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  if (inner.length > MAX_ENTRIES)
    throw new DocumentFault(`${file}#`, `must have at most ${MAX_ENTRIES} entries in one object or list`);
  for (const item of inner) assertBounded(item, file, bounds, depth + 1);
}

function asVersion3(file: string, document: JsonValue | undefined): JsonObject {
  if (!isJsonObject(document)) throw new DocumentFault(`${file}#`, 'must be an object');
  const { openapi, swagger } = document;
  if (typeof openapi === 'string' && /^3\.[01](\.|$)/.test(openapi)) return document;
  if (swagger === '2.0') return upgraded(file, document);
  throw new DocumentFault(
    `${file}#`,
    'must say its version: "openapi": "3.0.x" or "3.1.x", or "swagger": "2.0"',
  );
}

function upgraded(file: string, document: JsonObject): JsonObject {
  try {
    // A copy without shared parts: what an alias repeats would be upgraded as often.
    return upgrade(JSON.parse(JSON.stringify(document)), '3.0');
  } catch {
    throw new DocumentFault(
      `${file}#`,
      'cannot be read as Swagger 2.0: a part of it is not of the right kind',
    );
  }
}
