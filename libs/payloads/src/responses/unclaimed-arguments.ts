import { JsonExtent } from '../model-calls/json-extent.js';
import type { GrowingItem } from './growing-item.js';

/** Arguments from one event or several in a row that name no item. */
class ArgumentRun {
  text = '';
  isOver = false;
  private readonly extent = new JsonExtent();

  /** @param owner null where it is not known which call they are of */
  constructor(readonly owner: GrowingItem | null) {}

  isContinuedBy(piece: string): boolean {
    return !this.isOver && !(this.extent.isWhole && piece.trim() !== '');
  }

  push(piece: string): void {
    this.text += piece;
    this.extent.push(piece);
    this.owner?.addArguments(piece);
  }

  /** The whole text, from an event that ends the run. */
  end(whole: string): void {
    this.isOver = true;
    if (whole.trim() === '') return;
    this.text = whole;
    this.owner?.setArguments(whole);
  }
}

/**
 * Arguments that name no item, as some servers stream them. They belong to the one call that is open and has none yet; where
 * there are several, the order decides at the end, if there are as many as calls.
 */
export class UnclaimedArguments {
  /** Calls that have begun, are not whole and have no arguments yet. */
  private readonly waiting = new Set<GrowingItem>();
  private readonly runs: ArgumentRun[] = [];

  /** Whether a piece without a known place belongs here rather than to a call that begins later. */
  get mayTake(): boolean {
    return this.waiting.size > 0 || this.runs.at(-1)?.isOver === false;
  }

  callBegins(call: GrowingItem): void {
    this.waiting.add(call);
  }

  /** The call is whole, or has arguments of its own. */
  callIsServed(call: GrowingItem): void {
    this.waiting.delete(call);
  }

  /** An item begins or ends: what comes afterwards is of another call. */
  boundary(): void {
    const last = this.runs.at(-1);
    if (last !== undefined) last.isOver = true;
  }

  push(piece: string): void {
    this.runFor(piece).push(piece);
  }

  end(whole: string): void {
    const last = this.runs.at(-1);
    const run = last?.isOver === false ? last : this.runFor(whole);
    run.end(whole);
  }

  /** Gives out what is left; false where it is not known which call it belongs to. */
  settle(calls: readonly GrowingItem[], strays: readonly string[]): boolean {
    const open = [...strays, ...this.runs.filter(({ owner }) => owner === null).map(({ text }) => text)];
    const lacking = calls.filter((call) => call.lacksArguments);
    const known = new Set(
      calls.filter((call) => !lacking.includes(call)).map((call) => normalized(call.arguments)),
    );
    const left = open.filter((text) => !known.has(normalized(text)));
    if (left.length === 0 || lacking.length === 0) return true;
    const silent = lacking.filter((call) => !call.hasArguments);
    const served = [silent, lacking].find((some) => some.length === left.length);
    for (const [at, call] of (served ?? []).entries()) call.setArguments(left[at] ?? '');
    return served !== undefined;
  }

  private runFor(piece: string): ArgumentRun {
    const last = this.runs.at(-1);
    if (last?.isContinuedBy(piece) === true) return last;
    const [owner = null] = this.waiting.size === 1 ? this.waiting : [];
    if (owner !== null) this.waiting.delete(owner);
    const run = new ArgumentRun(owner);
    this.runs.push(run);
    return run;
  }
}

function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}
