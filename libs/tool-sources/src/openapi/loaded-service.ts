import type { JsonObject } from '#libs/kernel';
import type { InputReader } from '#libs/tooling';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import type { Operation, OperationArguments, Service } from './operation.js';
import { parseDescription, type DescriptionText } from './parse-description.js';
import { readService } from './read-service.js';
import { References } from './references.js';
import { toArguments } from './to-arguments.js';

/** The tool of one operation, made when it is first needed. */
export interface PreparedOperation {
  readonly arguments: OperationArguments;
  readonly readInput: InputReader;
}

/** A description that was read, and what was made of its operations since. */
export class LoadedService {
  readonly service: Service;
  private readonly references: References;
  private readonly prepared = new Map<string, PreparedOperation>();

  /** Throws a `DocumentFault` where the description is of no use. */
  constructor(document: DescriptionText) {
    this.references = new References(parseDescription(document));
    this.service = readService(this.references);
  }

  /** Throws a `DocumentFault` where the operation has schemas that cannot be read. */
  prepare(operation: Operation): PreparedOperation {
    const known = this.prepared.get(operation.name);
    if (known !== undefined) return known;
    const made = toArguments(operation, this.references);
    const prepared = { arguments: made, readInput: compiledOnce(made.inputSchema) };
    this.prepared.set(operation.name, prepared);
    return prepared;
  }
}

/** A tool that is offered is seldom called: to compile its schema takes longer than all else about it. */
export function compiledOnce(schema: JsonObject): InputReader {
  let reader: InputReader | null = null;
  return (input) => (reader ??= compileForeignSchema(schema))(input);
}
