import type { JsonObject, JsonValue } from '#libs/kernel';
import { chooseArguments, saysNothing } from '../model-calls/distinct-calls.js';
import { readObjects, readText } from '../model-calls/read-json.js';
import { listOf, readArguments, readItemTexts, readPartText } from './from-responses-output.js';

/** Place of an event's item. Both fields may be missing, and some servers change ids with every event. */
export interface ItemPlace {
  /** `output_index` */
  readonly index: number | null;
  /** Id of the item; `''` if absent. */
  readonly id: string;
}

/** Sources of one call's arguments, most reliable first. */
const SOURCES = ['itemDone', 'argumentsDone', 'response', 'pieces', 'guess'] as const;
type ArgumentSource = (typeof SOURCES)[number];

/** Characters at the beginning of a text that identify it. */
const HEAD_CHARACTERS = 200;

/** One item of a response, assembled from all reports of it. */
export class GrowingItem {
  /** True once the server has reported the complete item. */
  isDone = false;
  /** Texts of its parts by name, such as `content/0`. */
  readonly texts = new Map<string, string>();
  private readonly written: Partial<Record<ArgumentSource, string>> = {};
  private readonly said = { head: '', length: 0 };
  private reported: JsonObject;

  /**
   * @param number counts the items of a response in order of their beginning
   * @param isAnnounced false if the item began with a piece
   */
  constructor(
    readonly number: number,
    readonly kind: string,
    readonly place: ItemPlace,
    readonly isAnnounced: boolean,
  ) {
    this.reported = { type: kind };
  }

  get callId(): string {
    return readText(this.reported, 'call_id') ?? '';
  }

  get name(): string {
    return readText(this.reported, 'name') ?? '';
  }

  /** True for pieces of a call without any identification of the call. */
  get isStray(): boolean {
    return !this.isAnnounced && this.callId === '' && (readText(this.reported, 'id') ?? '') === '';
  }

  /** Arguments of the call; `{}` if none were reported. */
  get arguments(): string {
    return chooseArguments(SOURCES.map((source) => this.written[source]));
  }

  /** True if the server reported arguments, even empty ones. */
  get hasArguments(): boolean {
    return SOURCES.some((source) => (this.written[source] ?? '') !== '');
  }

  get lacksArguments(): boolean {
    return saysNothing(this.arguments);
  }

  /** Merges a report of the item, complete or partial; fields missing in one report are kept from others. */
  report(item: JsonObject, source: 'itemDone' | 'response' | 'pieces'): void {
    const merged: Record<string, JsonValue> = { ...item };
    for (const [field, known] of Object.entries(this.reported))
      if (isBlank(item[field])) merged[field] = known;
    this.reported = merged;
    this.isDone ||= source === 'itemDone';
    const written = readArguments(item);
    if (written !== undefined) this.written[source] = written || (this.written[source] ?? '');
  }

  nameCall(name: string): void {
    if (this.name === '') this.reported = { ...this.reported, name };
  }

  setArguments(whole: string): void {
    this.written.argumentsDone = whole;
  }

  /** Sets arguments that arrived without a place while only this call had none. */
  guessArguments(whole: string): void {
    this.written.guess = whole;
  }

  addArguments(piece: string): void {
    this.written.pieces = (this.written.pieces ?? '') + piece;
  }

  addText(part: string, piece: string): void {
    this.texts.set(part, (this.texts.get(part) ?? '') + piece);
    this.said.head = (this.said.head + piece.slice(0, HEAD_CHARACTERS)).slice(0, HEAD_CHARACTERS);
    this.said.length += piece.length;
  }

  /**
   * Returns the part of the complete text beyond the pieces so far. If they contradict each other, shown text cannot be
   * corrected; the longer one is kept, so that no text is lost.
   */
  restOf(part: string, whole: string): string {
    const heard = this.texts.get(part) ?? '';
    if (whole.startsWith(heard)) return whole.slice(heard.length);
    if (whole.length > heard.length) this.texts.set(part, whole);
    return '';
  }

  /** Whether an announcement belongs to this item: a piece arrived before it, or it is repeated. */
  isBegunBy({ id }: ItemPlace, item: JsonObject): boolean {
    if (!this.isAnnounced) return this.fits(item);
    return id !== '' && id === this.place.id && this.callId === (readText(item, 'call_id') ?? '');
  }

  /** Whether the report of a complete item can belong to this item, judging by their texts. */
  fits(item: JsonObject): boolean {
    if (this.kind === 'function_call') return isSameOrMissing(this.callId, readText(item, 'call_id'));
    const { head } = saidIn(item);
    return head.trim().startsWith(this.said.head.trim()) || this.said.head.trim().startsWith(head.trim());
  }

  /** Whether the report of a complete item repeats an earlier one. */
  isRepeatedBy(item: JsonObject): boolean {
    if (this.kind !== 'function_call') return this.fits(item) && this.said.length === saidIn(item).length;
    const again = readArguments(item) ?? '';
    const isSame = this.callId === (readText(item, 'call_id') ?? '');
    const isNamedSo = isSameOrMissing(this.name, readText(item, 'name'));
    return isSame && isNamedSo && (again === (this.written.itemDone || again) || saysNothing(again));
  }

  /** The item as in a complete response object. */
  toItem(): JsonObject {
    if (this.kind === 'function_call')
      return { id: this.place.id, ...this.reported, arguments: this.arguments };
    return this.kind === 'message' ? { ...this.reported, content: this.content() } : this.reported;
  }

  /** Reported parts with their streamed text, then parts that were only streamed. */
  private content(): JsonObject[] {
    const reported = readObjects(this.reported, 'content');
    const unnumbered = this.texts.get('content');
    if (unnumbered !== undefined)
      return reported.map(readPartText).join('') === unnumbered ? [...reported] : [toPart(unnumbered)];
    const names = reported.map((_part, at) => `content/${at}`);
    const heard = [...this.texts].filter(([name]) => !names.includes(name)).map(([, text]) => toPart(text));
    return [...reported.map((part, at) => withText(part, this.texts.get(names[at] ?? ''))), ...heard];
  }
}

/** Beginning of an item's text, and its total length. */
function saidIn(item: JsonObject): { readonly head: string; readonly length: number } {
  const texts = readItemTexts(item, listOf(item)).map(({ text }) => text);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const head = texts.reduce(
    (found, text) => (found.length < HEAD_CHARACTERS ? found + text.slice(0, HEAD_CHARACTERS) : found),
    '',
  );
  return { head: head.slice(0, HEAD_CHARACTERS), length };
}

function toPart(text: string): JsonObject {
  return { type: 'output_text', text };
}

function withText(part: JsonObject, text: string | undefined): JsonObject {
  if (text === undefined || text === '') return part;
  return { ...part, [part['type'] === 'refusal' ? 'refusal' : 'text']: text };
}

function isBlank(value: JsonValue | undefined): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function isSameOrMissing(known: string, given: string | undefined): boolean {
  return known === '' || given === undefined || given === '' || known === given;
}
