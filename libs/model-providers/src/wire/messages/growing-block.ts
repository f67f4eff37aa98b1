import { isJsonObject, type JsonObject } from '#libs/kernel';
import { readText } from '../model-calls/read-json.js';

/** Fields of a block that a delta appends to, by the type of the delta. */
const GROWING: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};
/** Types of blocks that begin with a delta, where a server leaves their beginning out. */
const BEGUN_BY: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** One block of an answer, which arrives whole or in deltas. */
export class GrowingBlock {
  private readonly fields: Record<string, JsonObject[string]>;
  /** The input of a call as the model wrote it; null until a delta brings a piece. */
  private written: string | null = null;

  constructor(begun: JsonObject) {
    this.fields = { ...begun };
  }

  /** A block whose beginning never came. */
  static begunBy(delta: JsonObject): GrowingBlock {
    return new GrowingBlock({ type: BEGUN_BY[readText(delta, 'type') ?? ''] ?? 'unknown' });
  }

  get type(): string {
    return readText(this.fields, 'type') ?? '';
  }

  /** Adds a piece; returns its text. Pieces of unknown types are ignored. */
  grow(delta: JsonObject): string {
    const type = readText(delta, 'type') ?? '';
    if (type === 'input_json_delta') {
      const piece = readText(delta, 'partial_json') ?? '';
      this.written = (this.written ?? '') + piece;
      return piece;
    }
    const field = GROWING[type];
    if (field === undefined) return '';
    const piece = readText(delta, field) ?? '';
    this.fields[field] = (readText(this.fields, field) ?? '') + piece;
    return piece;
  }

  /** The whole block; `written` has the input of a call as the model wrote it, which may be no object. */
  end(): EndedBlock {
    const input = inputOf(this.written);
    return { block: input === null ? this.fields : { ...this.fields, input }, written: this.written };
  }
}

export interface EndedBlock {
  readonly block: JsonObject;
  /** Null where the input came as an object, or not at all. */
  readonly written: string | null;
}

function inputOf(written: string | null): JsonObject | null {
  if (written === null) return null;
  try {
    const input: unknown = JSON.parse(written === '' ? '{}' : written);
    return isJsonObject(input) ? input : null;
  } catch {
    return null;
  }
}
