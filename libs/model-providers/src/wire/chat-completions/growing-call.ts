import { toStorableJson, toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '#libs/payloads';
import { chooseArguments } from '../model-calls/distinct-calls.js';
import { JsonExtent } from '../model-calls/json-extent.js';
import { readObject, readText } from '../model-calls/read-json.js';

/** One report of a tool call or a part of it; `''` for a missing id or name. */
export interface CallPiece {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  /** Arguments in the report; null if absent. */
  readonly written: string | null;
  /** Values of {@link KEPT_FIELDS} in the report. */
  readonly kept: JsonObject;
}

/** Fields with the signature of the reasoning before a call; servers refuse the call without it in the next round. */
const KEPT_FIELDS = ['extra_content', 'provider_specific_fields', 'thought_signature'] as const;

/** Some servers omit the `function` object around name and arguments. */
export function readCallPiece(given: JsonObject): CallPiece {
  const called = readObject(given, 'function');
  return {
    index: typeof given['index'] === 'number' ? given['index'] : null,
    id: readText(given, 'id') ?? '',
    name: readText(called, 'name') ?? readText(given, 'name') ?? '',
    written: argumentsOf(called) ?? argumentsOf(given),
    kept: keptOf(given),
  };
}

/** Tool call assembled from pieces. */
export class GrowingCall {
  readonly index: number | null;
  kept: JsonObject = {};
  private id = '';
  private name = '';
  private written = '';
  private hasArguments = false;
  private hasChangingIds = false;
  private extent = new JsonExtent();

  constructor(first: CallPiece) {
    this.index = first.index;
    this.grow(first);
  }

  get hasName(): boolean {
    return toStorableText(this.name).trim() !== '';
  }

  /** True if the call has no name, id or arguments. */
  get isBlank(): boolean {
    return !this.hasName && this.id.trim() === '' && this.written.trim() === '';
  }

  /** Whether an earlier call is the beginning of this one: a piece of its name without arguments. */
  isContinuationOf({ index, hasName, written }: GrowingCall): boolean {
    return this.hasChangingIds && index !== null && index === this.index && hasName && written.trim() === '';
  }

  /** Joins this call with a later one that continues its name; returns the joined call. */
  continuedBy(later: GrowingCall): GrowingCall {
    later.name = this.grownName(later.name);
    later.id = this.id || later.id;
    later.kept = { ...this.kept, ...later.kept };
    return later;
  }

  /**
   * Whether the piece begins another call. Servers that give every call the same index, no index or changing ids are
   * handled by a new name after complete arguments.
   */
  isFollowedBy({ id, name, written }: CallPiece): boolean {
    const isOther = id !== '' && this.id !== '' && id !== this.id;
    const bringsArguments = (written ?? '').trim() !== '';
    if (this.isRepeatedBy({ id, name, written })) return false;
    if (name === '') return isOther && bringsArguments && this.extent.isWhole;
    if (this.name === '') return false;
    if (this.extent.isOpen) return (id === '' || isOther) && !isSameName(this.name, name);
    if (this.written.trim() === '') return isOther;
    return isOther || bringsArguments || !isSameName(this.name, name);
  }

  grow(piece: CallPiece): void {
    const { id, name, written } = piece;
    const isRepeated = this.isRepeatedBy(piece);
    this.hasChangingIds ||= id !== '' && this.id !== '' && id !== this.id;
    this.id ||= id;
    this.name = this.grownName(name);
    this.kept = { ...this.kept, ...piece.kept };
    this.hasArguments ||= written !== null;
    if (written === null || isRepeated) return;
    this.written += written;
    this.extent.push(written);
  }

  /**
   * Merges the call from a message. Complete arguments fill gaps and replace truncated ones; otherwise the call is a
   * piece from a server that sends messages instead of deltas.
   */
  complete(piece: CallPiece): void {
    const written = piece.written ?? '';
    this.hasArguments ||= piece.written !== null;
    const extent = extentOf(written);
    if (!extent.isWhole && !written.startsWith(this.written)) return this.grow(piece);
    this.id ||= piece.id;
    this.name = this.grownName(piece.name);
    this.kept = { ...this.kept, ...piece.kept };
    if (this.extent.isWhole && !extent.isWhole) return;
    this.written = chooseArguments([this.extent.isWhole ? this.written : undefined, written, this.written]);
    this.extent = extentOf(this.written);
  }

  toCall(): PromptToolCall {
    return {
      id: toStorableText(this.id),
      name: toStorableText(this.name),
      arguments: toStorableText(this.hasArguments ? this.written : '{}'),
    };
  }

  /** An exact repetition of complete arguments is the same call. */
  private isRepeatedBy({ id, name, written }: Pick<CallPiece, 'id' | 'name' | 'written'>): boolean {
    if (written === null || written !== this.written || !this.extent.isWhole) return false;
    return id === '' ? name === '' : id === this.id;
  }

  /** Servers repeat the full name in each piece, split it before the arguments, or send growing prefixes. */
  private grownName(piece: string): string {
    if (piece.startsWith(this.name)) return piece;
    return this.written.trim() === '' ? this.name + piece : this.name;
  }
}

function extentOf(text: string): JsonExtent {
  const extent = new JsonExtent();
  extent.push(text);
  return extent;
}

function isSameName(known: string, given: string): boolean {
  return given.startsWith(known) || known.startsWith(given);
}

function keptOf(piece: JsonObject): JsonObject {
  const given = KEPT_FIELDS.flatMap((field) => {
    const value = toStorableJson(piece[field] ?? null);
    return value === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(given);
}

/** Arguments as text; some servers send the object itself. Null if absent. */
function argumentsOf(called: JsonObject): string | null {
  const written = called['arguments'];
  if (written === undefined || written === null) return null;
  return typeof written === 'string' ? written : JSON.stringify(toStorableJson(written));
}
