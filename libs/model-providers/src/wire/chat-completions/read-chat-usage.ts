import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { TokenUsage } from '#libs/payloads';
import { readObject, readObjects } from '../model-calls/read-json.js';
import { readUsage } from '../model-calls/read-usage.js';

/** Usage of one answer, which servers report once, with every chunk, or first as zeros. */
export class GrowingUsage {
  private known: JsonObject | null = null;

  /** Null if no usage was reported. */
  get reported(): JsonObject | null {
    return this.known;
  }

  /** True once input and output are known, so that the stream can bring no better usage. */
  get isWhole(): boolean {
    const { input, output } = countsOf(this.known ?? {});
    return isPositive(input) && isPositive(output);
  }

  /** Reads usage beside the choices, as the API defines; Moonshot puts it in the choice, Groq in `x_groq`. */
  push(chunk: JsonObject): void {
    const places = [chunk, ...readObjects(chunk, 'choices'), readObject(chunk, 'x_groq')];
    for (const { usage } of places) if (isJsonObject(usage)) this.known = merge(this.known ?? {}, usage);
  }
}

/** Keeps the latest count of each kind; zero or null never overwrites a count. */
function merge(known: JsonObject, said: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...known };
  for (const [name, value] of Object.entries(said)) {
    const before = known[name];
    if (isJsonObject(value)) merged[name] = merge(isJsonObject(before) ? before : {}, value);
    else if (before === undefined || (value !== 0 && value !== null)) merged[name] = value;
  }
  return merged;
}

/**
 * Reads the tokens of a chat completion by the rules of `readUsage`. If the total exceeds input plus output, the rest is
 * reasoning that the server left out of `completion_tokens`; it is billed as output.
 */
export function readChatUsage(usage: JsonObject): TokenUsage | null {
  const { input, output } = countsOf(usage);
  const written = withUncounted(input, output, usage['total_tokens']);
  return readUsage({ usage: { ...usage, input_tokens: input ?? null, output_tokens: written ?? null } });
}

function countsOf(usage: JsonObject): {
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
} {
  return {
    input: counted(usage['prompt_tokens'], usage['input_tokens']),
    output: counted(usage['completion_tokens'], usage['output_tokens']),
  };
}

/** Both names hold the same count; zero may mean that the other name is used. */
function counted(count: JsonValue | undefined, otherName: JsonValue | undefined): JsonValue | undefined {
  return isPositive(count) ? count : (otherName ?? count);
}

function isPositive(count: JsonValue | undefined): boolean {
  return typeof count === 'number' && count > 0;
}

function withUncounted(
  input: JsonValue | undefined,
  output: JsonValue | undefined,
  total: JsonValue | undefined,
): JsonValue | undefined {
  if (typeof input !== 'number' || typeof output !== 'number' || typeof total !== 'number') return output;
  return total > input + output ? total - input : output;
}
