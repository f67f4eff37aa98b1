import type { JsonObject } from '#libs/kernel';
import type { InputReader, ToolServerOf } from '#libs/tooling';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import type { Operation, OperationArguments, Service } from './operation.js';
import { parseDescription, type DescriptionText } from './parse-description.js';
import { readService } from './read-service.js';
import { References } from './references.js';
import { toArguments } from './to-arguments.js';

/** What is made of one operation when it is first needed. */
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
function compiledOnce(schema: JsonObject): InputReader {
  let reader: InputReader | null = null;
  return (input) => (reader ??= compileForeignSchema(schema))(input);
}

/** Characters of the texts of all descriptions that are kept; what is made of them takes several times as much. */
const MOST_CHARACTERS = 24_000_000;
/** What one counts as beside its text, however short that is: it takes memory all the same. */
const CHARACTERS_OF_EACH = 2_000;

/**
 * Descriptions that were read, by server and version: to read a large one takes a second, and every run asks for it. The one
 * that was not asked for longest gives way.
 */
export class LoadedServices {
  private readonly kept = new Map<string, { readonly loaded: LoadedService; readonly length: number }>();
  private length = 0;

  constructor(private readonly mostCharacters = MOST_CHARACTERS) {}

  /** Throws a `DocumentFault` where the description is of no use. */
  get({
    id,
    version,
    config: { document },
  }: Pick<ToolServerOf<'openapi'>, 'id' | 'version' | 'config'>): LoadedService {
    const key = `${id}/${version}`;
    const known = this.kept.get(key);
    this.forget(key);
    const entry = known ?? { loaded: new LoadedService(document), length: lengthOf(document) };
    this.kept.set(key, entry);
    this.length += entry.length;
    for (const oldest of this.kept.keys()) {
      if (this.length <= this.mostCharacters) break;
      this.forget(oldest);
    }
    return entry.loaded;
  }

  /** How many are kept. */
  get size(): number {
    return this.kept.size;
  }

  private forget(key: string): void {
    this.length -= this.kept.get(key)?.length ?? 0;
    this.kept.delete(key);
  }
}

function lengthOf(document: DescriptionText): number {
  const texts = typeof document === 'string' ? [document] : Object.values(document.files);
  return texts.reduce((sum, { length }) => sum + length, CHARACTERS_OF_EACH);
}
