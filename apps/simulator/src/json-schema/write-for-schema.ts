import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { FunctionTool, TextFormat } from '../responses/request-schema.js';
import { fillSchema } from './fill-schema.js';

/** Tool arguments as JSON text that fits the schema, with `known` values where it has a field for them. */
export function writeArguments(tool: FunctionTool, known: JsonObject): string {
  return JSON.stringify(fillSchema(tool.parameters ?? {}, known));
}

/** Tool arguments with `text` in the first text field. */
export function writeTextArguments(tool: FunctionTool, text: string): string {
  const field = firstTextField(tool.parameters ?? {});
  return writeArguments(tool, field === null ? {} : { [field]: text });
}

/** `text` in the requested output format: plain, or JSON that fits the schema. */
export function writeFormatted(text: string, format: TextFormat): string {
  switch (format.type) {
    case 'text':
      return text;
    case 'json_object':
      return JSON.stringify({ text });
    case 'json_schema': {
      const field = firstTextField(format.schema);
      return JSON.stringify(fillSchema(format.schema, field === null ? {} : { [field]: text }));
    }
  }
}

function firstTextField(schema: JsonObject): string | null {
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return properties.find(([, property]) => isText(property))?.[0] ?? null;
}

function isText(property: JsonValue): boolean {
  if (!isJsonObject(property) || 'enum' in property || 'const' in property) return false;
  const options = property['anyOf'];
  if (Array.isArray(options)) return options.some(isText);
  return [property['type']].flat().includes('string');
}
