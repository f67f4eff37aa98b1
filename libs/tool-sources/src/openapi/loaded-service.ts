import type { JsonObject } from '#libs/kernel';
import type { InputReader } from '#libs/tooling';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import type { Operation, OperationArguments, Service } from './operation.js';
import { parseDescription, type DescriptionText } from './parse-description.js';
import { readService } from './read-service.js';
import { References } from './references.js';
import { toArguments } from './to-arguments.js';

/** An operation's tool, prepared on first use. */
export interface PreparedOperation {
  readonly arguments: OperationArguments;
  readonly readInput: InputReader;
}

/** A parsed description, with the operations prepared so far. */
export class LoadedService {
  readonly service: Service;
  private readonly references: References;
  private readonly prepared = new Map<string, PreparedOperation>();

  /** Throws a `DocumentFault` if the description is unusable. */
  constructor(document: DescriptionText) {
    this.references = new References(parseDescription(document));
    this.service = readService(this.references);
  }

  /** Throws a `DocumentFault` if the operation has unreadable schemas. */
  prepare(operation: Operation): PreparedOperation {
    const known = this.prepared.get(operation.name);
    if (known !== undefined) return known;
    const made = toArguments(operation, this.references);
    const prepared = { arguments: made, readInput: compiledOnce(made.inputSchema) };
    this.prepared.set(operation.name, prepared);
    return prepared;
  }
}

/** Compiles the schema on first use: it is the most expensive part, and most offered tools are never called. */
export function compiledOnce(schema: JsonObject): InputReader {
  let reader: InputReader | null = null;
  return (input) => (reader ??= compileForeignSchema(schema))(input);
}
