import {
  AppError,
  canonicalJson,
  isJsonObject,
  toStorableJson,
  toStorableText,
  type JsonObject,
} from '#libs/kernel';
import { wholeCharacters, type InputReader, type ToolEffect } from '#libs/tooling';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import { toOfferedSchema } from '../json-schema/offered-schema.js';
import { claimedEffect } from './claimed-effect.js';
import { toLine, type Warnings } from './warnings.js';

/** A tool of a server's listing, validated and bounded. */
export interface OfferedTool {
  /** The server's own name of the tool. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readInput: InputReader;
  /** Validates `structuredContent`; null without a usable output schema. */
  readonly readOutput: InputReader | null;
  readonly claimedEffect: ToolEffect | null;
  /** Hash that changes with every change of the server's description of the tool. */
  readonly fingerprint: string;
}

const MAX_NAME = 256;
const MAX_LABEL = 100;
const MAX_DESCRIPTION_BYTES = 8_192;

const FORMED_BY = ['allOf', 'anyOf', 'oneOf', 'properties', '$ref'];
const NO_SCHEMA = 'has no input schema of an object';
const hint = z.boolean().optional().catch(undefined);
const toolSchema = z.object({
  name: z.string('has no name').min(1, 'has no name').max(MAX_NAME, 'has too long a name'),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({}, NO_SCHEMA).refine(isOfObject, NO_SCHEMA),
  outputSchema: z.looseObject({}).optional().catch(undefined),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
    })
    .optional()
    .catch(undefined),
  execution: z.object({ taskSupport: z.string().optional() }).optional().catch(undefined),
});

/** Schema generators omit `type` beside unions. */
function isOfObject(schema: Readonly<Record<string, unknown>>): boolean {
  const { type, ...others } = schema;
  return (
    type === 'object' || (type === undefined && FORMED_BY.some((keyword) => others[keyword] !== undefined))
  );
}

/** The usable tools of a listing; others are omitted with a warning. Never rejects. */
export async function readTools(listed: readonly unknown[], warnings: Warnings): Promise<OfferedTool[]> {
  const tools = new Map<string, OfferedTool>();
  for (const [index, item] of listed.entries()) {
    // Yields to the event loop: each of up to 1 000 tools may take tens of milliseconds.
    if (index > 0) await setImmediate();
    const read = readTool(item, warnings);
    const name = nameOf(item) ?? `number ${index + 1}`;
    if (typeof read === 'string') warnings.add(`the tool ${toLine(name, 100)} was left out: it ${read}`);
    else if (tools.has(read.name))
      warnings.add(`the tool ${toLine(name, 100)} was left out: it is there twice`);
    else tools.set(read.name, read);
  }
  return [...tools.values()];
}

/** The tool, or its fault as text. */
function readTool(item: unknown, warnings: Warnings): OfferedTool | string {
  const parsed = toolSchema.safeParse(item);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'is none';
  const { name, title, description, annotations, execution, outputSchema } = parsed.data;
  if (execution?.taskSupport === 'required') return 'only runs as a task, which is not supported';
  if (toStorableText(name) !== name) return 'has a name that cannot be stored';
  const inputSchema = toStorableJson(parsed.data.inputSchema);
  if (!isJsonObject(inputSchema)) return NO_SCHEMA;
  const readInput = compile(inputSchema);
  if (typeof readInput === 'string') return `cannot be offered: ${readInput}`;
  const offered = unlessInvalid(() => toOfferedSchema(inputSchema));
  if (typeof offered === 'string') return `cannot be offered: ${offered}`;
  const { schema: offeredSchema, losses } = offered;
  for (const loss of losses) warnings.add(`the tool ${toLine(name, 100)}: its input schema ${loss}`);
  return {
    name,
    label: toLine(title ?? annotations?.title ?? name, MAX_LABEL),
    description: wholeCharacters(toStorableText(description ?? ''), MAX_DESCRIPTION_BYTES),
    inputSchema: offeredSchema,
    readInput,
    readOutput: outputSchema === undefined ? null : compileOutput(outputSchema),
    claimedEffect: claimedEffect(annotations ?? {}),
    fingerprint: canonicalJson(
      toStorableJson({ name, title, description, annotations, inputSchema, outputSchema }),
    ),
  };
}

function compile(schema: JsonObject): InputReader | string {
  return unlessInvalid(() => compileForeignSchema(schema));
}

/** The result, or the reason for the schema's rejection. */
function unlessInvalid<Made>(make: () => Made): Made | string {
  try {
    return make();
  } catch (error) {
    return error instanceof AppError ? error.message : NO_SCHEMA;
  }
}

function compileOutput(schema: unknown): InputReader | null {
  const storable = toStorableJson(schema);
  const reader = isJsonObject(storable) ? compile(storable) : null;
  return typeof reader === 'string' ? null : reader;
}

function nameOf(item: unknown): string | null {
  const read = z.object({ name: z.string().min(1) }).safeParse(item);
  return read.success ? read.data.name : null;
}
