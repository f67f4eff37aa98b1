import type { JsonObject, JsonValue } from '#libs/kernel';
import { chooseArguments, saysNothing } from '../model-calls/choose-arguments.js';
import { readObjects, readText } from '../model-calls/read-json.js';
import { listOf, readArguments, readItemTexts, readPartText } from './from-responses-output.js';

/** Where an event says that it belongs. Each may be missing, and servers exist whose ids change with every event. */
export interface ItemPlace {
  /** `output_index` */
  readonly index: number | null;
  /** The id of the item; `''` where none is given. */
  readonly id: string;
}

/** Reports of the arguments of one call, the surest first. */
const SOURCES = ['itemDone', 'argumentsDone', 'response', 'pieces', 'guess'] as const;
type ArgumentSource = (typeof SOURCES)[number];

/** Characters of the beginning of a text by which it is known again. */
const HEAD_CHARACTERS = 200;

/** One item of a response, put together of everything that was reported of it. */
export class GrowingItem {
  /** Whether its server has reported it whole. */
  isDone = false;
  /** The texts of its parts by their names, such as `content/0`. */
  readonly texts = new Map<string, string>();
  private readonly written: Partial<Record<ArgumentSource, string>> = {};
  private readonly said = { head: '', length: 0 };
  private reported: JsonObject;

  /**
   * @param number counts the items of a response in the order in which they began
   * @param isAnnounced false for one that began with a piece of it
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

  /** Whether only pieces of a call have come, and nothing that says which call it is. */
  get isStray(): boolean {
    return !this.isAnnounced && this.callId === '' && (readText(this.reported, 'id') ?? '') === '';
  }

  /** The arguments of its call; `{}` where nothing was said. */
  get arguments(): string {
    return chooseArguments(SOURCES.map((source) => this.written[source]));
  }

  /** Whether its server has said anything of arguments, if only that there are none. */
  get hasArguments(): boolean {
    return SOURCES.some((source) => (this.written[source] ?? '') !== '');
  }

  get lacksArguments(): boolean {
    return saysNothing(this.arguments);
  }

  /** Takes a report of the item, whole or as far as it has come. What one report leaves out another one may have said. */
  report(item: JsonObject, source: 'itemDone' | 'response' | 'pieces'): void {
    const kept = Object.entries(this.reported).filter(([field]) => isBlank(item[field]));
    this.reported = { ...item, ...Object.fromEntries(kept) };
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

  /** Takes arguments that came without a place, while this call alone had none. */
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
   * The text that a whole adds to its pieces. Where they contradict each other, nothing can be added to what was shown:
   * the longer
   * one counts, so that nothing is lost.
   */
  restOf(part: string, whole: string): string {
    const heard = this.texts.get(part) ?? '';
    if (whole.startsWith(heard)) return whole.slice(heard.length);
    if (whole.length > heard.length) this.texts.set(part, whole);
    return '';
  }

  /** Whether an announcement is of this item: a piece came before it, or it comes again. */
  isBegunBy({ id }: ItemPlace, item: JsonObject): boolean {
    if (!this.isAnnounced) return this.fits(item);
    return id !== '' && id === this.place.id && this.callId === (readText(item, 'call_id') ?? '');
  }

  /** Whether a report of a whole item can be one of this item, as far as their texts show. */
  fits(item: JsonObject): boolean {
    if (this.kind === 'function_call') return isSameOrMissing(this.callId, readText(item, 'call_id'));
    const { head } = saidIn(item);
    return head.trim().startsWith(this.said.head.trim()) || this.said.head.trim().startsWith(head.trim());
  }

  /** Whether a report of a whole item says again what an earlier one has said. */
  isRepeatedBy(item: JsonObject): boolean {
    if (this.kind !== 'function_call') return this.fits(item) && this.said.length === saidIn(item).length;
    const again = readArguments(item) ?? '';
    const isSame = this.callId === (readText(item, 'call_id') ?? '');
    const isNamedSo = isSameOrMissing(this.name, readText(item, 'name'));
    return isSame && isNamedSo && (again === (this.written.itemDone || again) || saysNothing(again));
  }

  /** As a response object has it that leaves nothing out. */
  toItem(): JsonObject {
    if (this.kind === 'function_call')
      return { id: this.place.id, ...this.reported, arguments: this.arguments };
    return this.kind === 'message' ? { ...this.reported, content: this.content() } : this.reported;
  }

  /** Parts as they were reported, with what was heard of them; then those that were only heard. */
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

/** The beginning of what an item says, and how long all of it is. */
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
