import { upgrade } from '@scalar/openapi-upgrader';
import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { OpenApiServerConfig } from '#libs/tooling';
import { assertBounded, type FoundSize } from './assert-bounded.js';
import { DocumentFault } from './document-fault.js';
import { readYaml } from './yaml/read-yaml.js';

/** An API description as submitted: one text, or several files with a root. */
export type DescriptionText = OpenApiServerConfig['document'];

/** A parsed description: OpenAPI 3.0 or 3.1, possibly converted from Swagger 2.0. */
export interface Description {
  /** Name of the root file; empty for a single text. */
  readonly root: string;
  readonly files: ReadonlyMap<string, JsonValue>;
}

/**
 * Parses JSON, or YAML of descriptions stored before `DescriptionReader` existed. Accesses neither network nor files.
 * Throws a `DocumentFault` if a text is invalid, too large, too deeply nested or of an unknown version.
 */
export function parseDescription(text: DescriptionText): Description {
  const [root, texts] =
    typeof text === 'string' ? ['', { '': text }] : [text.root, text.files satisfies Record<string, string>];
  const found: FoundSize = { values: 0, chars: 0 };
  const files = new Map<string, JsonValue>();
  for (const [name, content] of Object.entries(texts)) {
    const parsed = parseText(name, content);
    assertBounded(parsed, name, found);
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
      // The YAML parser below also reads braces, and reports the line of an error.
    }
  }
  return readYaml(text, file);
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
    // Copies shared values, which aliases produce, because the upgrade would convert them once per use.
    return upgrade(JSON.parse(JSON.stringify(document)), '3.0');
  } catch {
    throw new DocumentFault(
      `${file}#`,
      'cannot be read as Swagger 2.0: a part of it is not of the right kind',
    );
  }
}
