import type { JsonObject } from '#libs/kernel';
import type { CompileReader, InputReader } from '#libs/tooling';

/** Maximum estimated bytes of all cached readers. */
const MAX_BYTES = 64_000_000;
/**
 * Measured memory of a reader: a fixed part in bytes, and bytes per character of its schema, compiled code included.
 */
const BYTES_OF_EACH = 4_000;
const BYTES_OF_CHARACTER = 4;

/** Cache of compiled schemas, shared by all runs; beyond its limit the oldest are evicted. */
export class KeptReaders {
  private readonly kept = new Map<string, InputReader>();
  private bytes = 0;

  constructor(
    private readonly compile: CompileReader,
    private readonly mostBytes = MAX_BYTES,
  ) {}

  /** Number of cached readers. */
  get size(): number {
    return this.kept.size;
  }

  /** Throws like the compiler. */
  readonly of = (schema: JsonObject): InputReader => {
    const text = JSON.stringify(schema);
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const reader = this.compile(schema);
    this.kept.set(text, reader);
    this.bytes += bytesOf(text);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= this.mostBytes) break;
      this.kept.delete(oldest);
      this.bytes -= bytesOf(oldest);
    }
    return reader;
  };
}

function bytesOf(schema: string): number {
  return BYTES_OF_EACH + schema.length * BYTES_OF_CHARACTER;
}
