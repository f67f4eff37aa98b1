import { posix } from 'node:path';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import { fault, type Located } from './located.js';
import type { Description } from './parse-description.js';

const MAX_STEPS = 32;

/** The description exceeds its budget of visited values. */
export class TooManySchemas extends Error {
  override readonly name = 'TooManySchemas';
}

/** Resolves `$ref` within the files of a description; nothing is fetched. */
export class References {
  /** @param stepsLeft maximum number of visited values, references included */
  constructor(
    private readonly description: Description,
    private stepsLeft = Infinity,
  ) {}

  root(): Located {
    const { root, files } = this.description;
    return { value: files.get(root) ?? null, file: root, pointer: '' };
  }

  /**
   * Resolves `$ref` repeatedly; other values are returned as they are. Throws a `DocumentFault` for references that are
   * dangling, circular or lead out of the upload.
   */
  follow(from: Located): Located {
    let at = from;
    for (let steps = 0; steps <= MAX_STEPS; steps += 1) {
      this.spend(1);
      const reference = referenceIn(at.value);
      if (reference === null) return at;
      at = this.target(at, reference);
    }
    throw fault(from, 'has a $ref that leads in a circle');
  }

  /** Deducts visited values from the budget. */
  spend(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new TooManySchemas();
  }

  private target(at: Located, reference: string): Located {
    const [path = '', fragment = ''] = reference.split('#', 2);
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path))
      throw fault(
        at,
        'has a $ref out of the upload: nothing is fetched, so it must be "#/…" or a file of it',
      );
    const file = path === '' ? at.file : posix.join(posix.dirname(at.file), decoded(path, at));
    const content = this.description.files.get(file);
    if (content === undefined) throw fault(at, `has a $ref to the file "${file}", which is not there`);
    return this.atPointer({ value: content, file, pointer: '' }, decoded(fragment, at), at);
  }

  private atPointer(whole: Located, pointer: string, from: Located): Located {
    if (pointer === '') return whole;
    if (!pointer.startsWith('/')) throw fault(from, 'has a $ref by a name: it must be a pointer, "#/…"');
    let value: unknown = whole.value;
    for (const segment of pointer.split('/').slice(1)) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
      if (!isThere) throw fault(from, `has a $ref to "${pointer}", which is not there`);
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return { ...whole, value: value as JsonValue, pointer };
  }
}

/** The object's own `$ref`; null if there is none. */
export function referenceIn(value: JsonValue): string | null {
  if (!isJsonObject(value) || !Object.hasOwn(value, '$ref')) return null;
  const { $ref } = value;
  return typeof $ref === 'string' ? $ref : null;
}

function decoded(text: string, at: Located): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault(at, 'has a $ref with a % that begins no escape');
  }
}
