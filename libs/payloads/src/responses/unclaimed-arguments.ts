import { JsonExtent } from '../model-calls/json-extent.js';
import type { GrowingItem } from './growing-item.js';

/** Arguments of a call that is not known yet. */
interface Unclaimed {
  readonly text: string;
  /** Name of the function, where the event gives it; else `''`. */
  readonly name: string;
}

/** Arguments from one event or several in a row that name no item. */
class ArgumentRun implements Unclaimed {
  text = '';
  name = '';
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
    this.owner?.guessArguments(this.text);
  }

  /** The whole text, from an event that ends the run. */
  end(whole: string, name: string): void {
    this.isOver = true;
    this.name = name;
    this.owner?.nameCall(name);
    if (whole.trim() === '') return;
    this.text = whole;
    this.owner?.guessArguments(whole);
  }
}

/**
 * Arguments that name no item, as some servers stream them. They belong to the one call that is open and has none yet; where
 * there are several, the order decides at the end, if there are as many as calls.
 */
export class UnclaimedArguments {
  /** Calls that have begun, are not whole and have no arguments yet. */
  private readonly waiting = new Set<GrowingItem>();
  /** Pieces of calls with a place of their own that no report of a call has named yet. */
  private readonly unannounced = new Set<GrowingItem>();
  private readonly runs: ArgumentRun[] = [];
  /** Once arguments came of which no call is known, the order decides of all that follow. */
  private isByOrder = false;

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

  pieceBegins(call: GrowingItem): void {
    this.unannounced.add(call);
  }

  callIsNamed(call: GrowingItem): void {
    this.unannounced.delete(call);
  }

  /** An item begins or ends: what comes afterwards is of another call. */
  boundary(): void {
    const last = this.runs.at(-1);
    if (last !== undefined) last.isOver = true;
  }

  push(piece: string): void {
    this.runFor(piece).push(piece);
  }

  end(whole: string, name: string): void {
    const last = this.runs.at(-1);
    const run = last?.isOver === false ? last : this.runFor(whole);
    run.end(whole, name);
  }

  /**
   * Gives out what is left. Answers what no call can have, since none lacks arguments, and null where it is not known which
   * call has which.
   */
  settle<Stray extends Unclaimed>(
    calls: readonly GrowingItem[],
    strays: readonly Stray[],
  ): readonly (Stray | Unclaimed)[] | null {
    const open = [...strays, ...this.runs.filter(({ owner }) => owner === null)];
    const lacking = calls.filter((call) => call.lacksArguments);
    const known = byArguments(calls.filter((call) => !lacking.includes(call)));
    const left = open.filter(({ text, name }) => {
      const same = known.get(normalized(text));
      same?.find((call) => call.name === '')?.nameCall(name);
      return same === undefined && text.trim() !== '';
    });
    if (left.length === 0 || lacking.length === 0) return left;
    const silent = lacking.filter((call) => !call.hasArguments);
    const served = [silent, lacking].find((some) => some.length === left.length);
    for (const [at, call] of (served ?? []).entries()) {
      call.setArguments(left[at]?.text ?? '');
      call.nameCall(left[at]?.name ?? '');
    }
    return served === undefined ? null : [];
  }

  private runFor(piece: string): ArgumentRun {
    const last = this.runs.at(-1);
    if (last?.isContinuedBy(piece) === true) return last;
    const isKnown = this.waiting.size === 1 && this.unannounced.size === 0 && !this.isByOrder;
    const [owner = null] = isKnown ? this.waiting : [];
    this.isByOrder ||= owner === null;
    if (owner !== null) this.waiting.delete(owner);
    const run = new ArgumentRun(owner);
    this.runs.push(run);
    return run;
  }
}

function byArguments(calls: readonly GrowingItem[]): ReadonlyMap<string, readonly GrowingItem[]> {
  return Map.groupBy(calls, (call) => normalized(call.arguments));
}

function normalized(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}
