import type { JsonObject } from '#libs/kernel';
import type { CompileReader, InputReader } from '#libs/tooling';

/** Characters of the schemas whose readers are kept: about as many bytes of memory, and as many again for the code. */
const MAX_CHARACTERS = 8_388_608;

/** Compiles each schema once, however many runs ask for it, as long as there is room; the oldest go first. */
export class KeptReaders {
  private readonly kept = new Map<string, InputReader>();
  private characters = 0;

  constructor(private readonly compile: CompileReader) {}

  /** Throws as the compiler does. */
  readonly of = (schema: JsonObject): InputReader => {
    const text = JSON.stringify(schema);
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const reader = this.compile(schema);
    this.kept.set(text, reader);
    this.characters += text.length;
    for (const oldest of this.kept.keys()) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length;
    }
    return reader;
  };
}
