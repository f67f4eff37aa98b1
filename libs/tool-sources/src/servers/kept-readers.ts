import type { JsonObject } from '#libs/kernel';
import type { CompileReader, InputReader } from '#libs/tooling';

/** Of memory, of all readers that are kept. */
const MOST_BYTES = 64_000_000;
/** What a reader takes however short its schema is, measured; and of each character, its code included. */
const BYTES_OF_EACH = 4_000;
const BYTES_OF_CHARACTER = 4;

/** Compiles each schema once, however many runs ask for it, as long as there is room; the oldest go first. */
export class KeptReaders {
  private readonly kept = new Map<string, InputReader>();
  private bytes = 0;

  constructor(
    private readonly compile: CompileReader,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** How many are kept. */
  get size(): number {
    return this.kept.size;
  }

  /** Throws as the compiler does. */
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
