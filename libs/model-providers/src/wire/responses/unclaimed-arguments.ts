import { JsonExtent } from '../model-calls/json-extent.js';
import type { GrowingItem } from './growing-item.js';

/** Arguments that are not assigned to a call yet. */
interface Unclaimed {
  readonly text: string;
  /** Name of the function if the event has it; otherwise `''`. */
  readonly name: string;
}

/** Arguments from one event or several consecutive ones without an item. */
class ArgumentRun implements Unclaimed {
  text = '';
  name = '';
  isOver = false;
  private readonly extent = new JsonExtent();

  /** @param owner call of the arguments; null while unknown */
  constructor(readonly owner: GrowingItem | null) {}

  isContinuedBy(piece: string): boolean {
    return !this.isOver && !(this.extent.isWhole && piece.trim() !== '');
  }

  push(piece: string): void {
    this.text += piece;
    this.extent.push(piece);
    this.owner?.guessArguments(this.text);
  }

  /** Ends the run with the complete text. */
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
 * Arguments without an item, as some servers stream them. They belong to the only open call without arguments; with
 * several such calls, they are assigned by order at the end, if the counts match.
 */
export class UnclaimedArguments {
  /** Incomplete calls without arguments. */
  private readonly waiting = new Set<GrowingItem>();
  /** Pieces of calls with a place of their own that no report has named yet. */
  private readonly unannounced = new Set<GrowingItem>();
  private readonly runs: ArgumentRun[] = [];
  /** True once arguments arrived without any open call; all later ones are then assigned by order. */
  private isByOrder = false;

  /** Whether a piece without a known place belongs here, and not to a call that begins later. */
  get mayTake(): boolean {
    return this.waiting.size > 0 || this.runs.at(-1)?.isOver === false;
  }

  callBegins(call: GrowingItem): void {
    this.waiting.add(call);
  }

  /** Removes a call that is complete or has its own arguments. */
  callIsServed(call: GrowingItem): void {
    this.waiting.delete(call);
  }

  pieceBegins(call: GrowingItem): void {
    this.unannounced.add(call);
  }

  callIsNamed(call: GrowingItem): void {
    this.unannounced.delete(call);
  }

  /** An item begins or ends: later arguments belong to another call. */
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
   * Assigns the remaining arguments. Returns those left over because no call lacks arguments; null if the assignment is
   * ambiguous.
   */
  settle<Stray extends Unclaimed>(
    calls: readonly GrowingItem[],
    strays: readonly Stray[],
  ): readonly (Stray | Unclaimed)[] | null {
    const open = [...strays, ...this.runs.filter(({ owner }) => owner === null)];
    if (open.length === 0) return [];
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
