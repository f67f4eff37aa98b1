import type { JsonObject } from '#libs/kernel';
import { readText } from '../model-calls/read-json.js';
import { GrowingItem, type ItemPlace } from './growing-item.js';
import { matchReported } from './match-reported.js';
import { UnclaimedArguments } from './unclaimed-arguments.js';

const CALL = 'function_call';
/** Maximum items of one response, far above the needs of a model or a provider's own tools. */
export const MAX_ITEMS = 4_096;

/**
 * Assembles the items of one streamed response by place: `output_index`, then id, then the open item. A server may omit
 * either, change ids with every event, give all items the same index, or report an item twice.
 */
export class ResponseItems {
  private readonly items: GrowingItem[] = [];
  /** Latest item of each kind at a place. */
  private readonly latest = new Map<string, GrowingItem>();
  /** Incomplete items by kind, in order of their beginning. */
  private readonly open = new Map<string, Set<GrowingItem>>();
  private readonly unclaimed = new UnclaimedArguments();

  get areTooMany(): boolean {
    return this.items.length > MAX_ITEMS;
  }

  /** Handles the announcement of an item; pieces of it may have arrived before. */
  begin(place: ItemPlace, item: JsonObject): GrowingItem {
    const kind = kindOf(item);
    this.unclaimed.boundary();
    const known = this.at(kind, place);
    const isKnown = known?.isDone === false && known.isBegunBy(place, item);
    const begun = isKnown ? known : this.create(kind, place, true);
    begun.report(item, 'pieces');
    this.remember(begun, place, item);
    if (kind === CALL && !begun.hasArguments) this.unclaimed.callBegins(begun);
    return begun;
  }

  /** Handles the report of a complete item. */
  conclude(place: ItemPlace, item: JsonObject): GrowingItem {
    const kind = kindOf(item);
    this.unclaimed.boundary();
    const done = this.reportedBy(kind, place, item) ?? this.create(kind, place, true);
    done.report(item, 'itemDone');
    this.remember(done, place, item);
    this.open.get(kind)?.delete(done);
    this.unclaimed.callIsServed(done);
    return done;
  }

  /** The item to which a piece of text belongs. */
  textItem(kind: string, place: ItemPlace, mayBeDone: boolean): GrowingItem {
    const known = this.at(kind, place);
    if (known !== undefined && (mayBeDone || !known.isDone)) return known;
    const last = this.lastOpen(kind);
    const isUnplaced = place.index === null || last?.place.index === null;
    const isItsOwn = last?.isAnnounced === true || last?.place.id === '' || place.id === '';
    return last !== undefined && isUnplaced && isItsOwn ? last : this.create(kind, place, false);
  }

  addArguments(place: ItemPlace, piece: string): void {
    const call = this.callAt(place);
    if (call === null) return this.unclaimed.push(piece);
    call.addArguments(piece);
    this.unclaimed.callIsServed(call);
  }

  /** Sets the complete arguments of a call; some servers send the function's name only here. */
  endArguments(place: ItemPlace, whole: string, name: string): void {
    const call = this.callAt(place);
    if (call === null) return this.unclaimed.end(whole, name);
    call.nameCall(name);
    if (whole !== '') call.setArguments(whole);
    this.unclaimed.callIsServed(call);
  }

  /** Merges the list of the last event, which may omit items; returns the matching item for each. */
  take(output: readonly JsonObject[]): readonly GrowingItem[] {
    return matchReported(output, this.items).map((known, at) => {
      const item = output[at] ?? {};
      const taken = known ?? this.create(kindOf(item), { index: at, id: '' }, true);
      taken.report(item, 'response');
      return taken;
    });
  }

  /**
   * Returns all items in the form of a response object: those only in the stream, then `taken` in order. Null if
   * arguments cannot be assigned to one of several calls.
   */
  end(taken: readonly GrowingItem[]): JsonObject[] | null {
    const last = new Set(taken);
    const ordered = [...this.items.filter((item) => !last.has(item)).toSorted(byIndex), ...taken];
    const calls = ordered.filter(({ kind }) => kind === CALL);
    const strays = calls
      .filter((call) => call.isStray)
      .map((item) => ({ text: item.arguments, name: item.name, item }));
    const lost = this.unclaimed.settle(
      calls.filter((call) => !call.isStray),
      strays,
    );
    if (lost === null) return null;
    const given = new Set(strays.filter((stray) => !lost.includes(stray)).map(({ item }) => item));
    const runs = lost.filter((one) => !('item' in one));
    return [
      ...ordered.filter((item) => !given.has(item)).map((item) => item.toItem()),
      ...runs.map(({ text, name }): JsonObject => ({ type: CALL, name, arguments: text })),
    ];
  }

  /** Null for arguments without a known place. */
  private callAt(place: ItemPlace): GrowingItem | null {
    const known = this.at(CALL, place);
    if (known !== undefined && !this.isOver(known, place)) return known;
    if (place.index === null && (place.id === '' || this.unclaimed.mayTake)) return null;
    return this.create(CALL, place, false);
  }

  /** Whether a new event at this place belongs to a later call, for a server that gives all items the same index. */
  private isOver(call: GrowingItem, { index, id }: ItemPlace): boolean {
    const isNamed = id !== '' && this.latest.get(nameOf(CALL, index, id)) === call;
    return call.isDone && call.hasArguments && !isNamed;
  }

  private at(kind: string, { index, id }: ItemPlace): GrowingItem | undefined {
    const exact = id === '' ? undefined : this.latest.get(nameOf(kind, index, id));
    return exact ?? (index === null ? undefined : this.latest.get(nameOf(kind, index, '')));
  }

  private byCallId(item: JsonObject): GrowingItem | undefined {
    const callId = readText(item, 'call_id') ?? '';
    return callId === '' ? undefined : this.latest.get(`${CALL}#${callId}`);
  }

  /** The known item that the report of a complete item belongs to. */
  private reportedBy(kind: string, place: ItemPlace, item: JsonObject): GrowingItem | undefined {
    const candidates = [this.at(kind, place), this.byCallId(item)].filter((known) => known !== undefined);
    const known = candidates.find((one) =>
      one.isDone ? one.isRepeatedBy(item) : kind !== CALL || one.fits(item),
    );
    if (known !== undefined) return known;
    if (place.index !== null && this.lastOpen(kind)?.place.index !== null) return undefined;
    const [oldest] = this.open.get(kind) ?? [];
    const mayBe = oldest?.isAnnounced === true || oldest?.place.id === '' || place.id === '';
    if (mayBe && oldest?.fits(item) === true) return oldest;
    const last = this.latest.get(kind);
    return last?.isDone === true && last.isRepeatedBy(item) ? last : undefined;
  }

  private lastOpen(kind: string): GrowingItem | undefined {
    const last = this.latest.get(kind);
    return last?.isDone === false ? last : undefined;
  }

  private create(kind: string, place: ItemPlace, isAnnounced: boolean): GrowingItem {
    const item = new GrowingItem(this.items.length, kind, place, isAnnounced);
    this.items.push(item);
    this.latest.set(kind, item);
    const open = this.open.get(kind) ?? new Set();
    this.open.set(kind, open.add(item));
    if (kind === CALL && !isAnnounced) this.unclaimed.pieceBegins(item);
    this.remember(item, place, {});
    return item;
  }

  private remember(known: GrowingItem, { index, id }: ItemPlace, item: JsonObject): void {
    const { kind } = known;
    if (!known.isStray) this.unclaimed.callIsNamed(known);
    if (index !== null) this.latest.set(nameOf(kind, index, ''), known);
    if (id !== '') this.latest.set(nameOf(kind, index, id), known);
    const callId = readText(item, 'call_id') ?? '';
    if (kind === CALL && callId !== '') this.latest.set(`${CALL}#${callId}`, known);
  }
}

function kindOf(item: JsonObject): string {
  return readText(item, 'type') ?? '';
}

function nameOf(kind: string, index: number | null, id: string): string {
  return `${kind}/${index ?? ''}/${id}`;
}

function byIndex(a: GrowingItem, b: GrowingItem): number {
  return (a.place.index ?? a.number) - (b.place.index ?? b.number);
}
