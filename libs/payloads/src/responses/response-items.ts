import type { JsonObject } from '#libs/kernel';
import { readText } from '../model-calls/read-json.js';
import { GrowingItem, type ItemPlace } from './growing-item.js';
import { matchReported } from './match-reported.js';
import { UnclaimedArguments } from './unclaimed-arguments.js';

const CALL = 'function_call';
/** Items of one response; far above what a model asks for or a provider's own tools report. */
export const MAX_ITEMS = 4_096;

/**
 * The items of one streamed response, put together by their places: `output_index` first, then the id, then what is open.
 * A server may leave out either, change ids with every event, number all items alike or report an item twice.
 */
export class ResponseItems {
  private readonly items: GrowingItem[] = [];
  /** The latest item of each kind at a place. */
  private readonly latest = new Map<string, GrowingItem>();
  /** Items that are not whole, by kind, in the order in which they began. */
  private readonly open = new Map<string, Set<GrowingItem>>();
  private readonly unclaimed = new UnclaimedArguments();

  get areTooMany(): boolean {
    return this.items.length > MAX_ITEMS;
  }

  /** The item is announced; pieces of it may have come before. */
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

  /** The item is reported whole. */
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

  /** The item that a piece of text is of. */
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

  /** Some servers name the function here only. */
  endArguments(place: ItemPlace, whole: string, name: string): void {
    const call = this.callAt(place);
    if (call === null) return this.unclaimed.end(whole, name);
    call.nameCall(name);
    if (whole !== '') call.setArguments(whole);
    this.unclaimed.callIsServed(call);
  }

  /** Takes the list of the last event, which may leave out items; answers which item each of them is. */
  take(output: readonly JsonObject[]): readonly GrowingItem[] {
    return matchReported(output, this.items).map((known, at) => {
      const item = output[at] ?? {};
      const taken = known ?? this.create(kindOf(item), { index: at, id: '' }, true);
      taken.report(item, 'response');
      return taken;
    });
  }

  /**
   * Everything, as a response object has it: what only the stream reported, then the rest in the order of `taken`.
   * Null where
   * it is not known which of several calls arguments belong to.
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

  /** Whether what comes at this place is of a later call: a server that numbers all items alike has ended this one. */
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

  /** The known item that a report of a whole one is of. */
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
