import { isJsonObject, toStorableJson, type JsonObject } from '#libs/kernel';

/** Fields of a detail that arrive in pieces; all other fields arrive complete. */
const GROWING = ['text', 'summary'] as const;

/** Assembles the `reasoning_details` of one answer from pieces. */
export class GrowingDetails {
  private readonly details: Record<string, unknown>[] = [];

  get isEmpty(): boolean {
    return this.details.length === 0;
  }

  /** Adds the next piece; returns its length as JSON. */
  push(piece: JsonObject): number {
    const known = this.find(piece);
    if (known === undefined) this.details.push({ ...piece });
    else grow(known, piece);
    return JSON.stringify(piece).length;
  }

  end(): JsonObject[] {
    return this.details.map((detail) => toStorableJson(detail)).filter(isJsonObject);
  }

  /** Finds the detail by its index; without one, the piece continues the last detail until that is signed. */
  private find({ index, type }: JsonObject): Record<string, unknown> | undefined {
    if (typeof index === 'number')
      return this.details.findLast((detail) => detail['index'] === index && detail['type'] === type);
    const last = this.details.at(-1);
    const isOpen =
      GROWING.some((field) => typeof last?.[field] === 'string') && !isGiven(last?.['signature']);
    return isOpen && last?.['index'] === undefined && last?.['type'] === type ? last : undefined;
  }
}

function grow(detail: Record<string, unknown>, piece: JsonObject): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = detail[name];
    const isText = GROWING.some((field) => field === name);
    if (isText && typeof before === 'string' && typeof value === 'string') detail[name] = before + value;
    else if (isGiven(value) || before === undefined) detail[name] = value;
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
