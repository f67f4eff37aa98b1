import type { JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '#libs/payloads';
import { distinctCalls } from '../model-calls/distinct-calls.js';
import { GrowingCall, readCallPiece, type CallPiece } from './growing-call.js';

/** Tool call with the further fields that the next request must repeat. */
export interface GrownCall extends PromptToolCall {
  readonly kept: JsonObject;
}

/** Assembles the tool calls of one answer from pieces, matched by index, then id, then content. */
export class GrowingCalls {
  private calls: GrowingCall[] = [];
  private readonly latestByIndex = new Map<number, GrowingCall>();
  private readonly latestById = new Map<string, GrowingCall>();

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Adds the next piece; returns whether it begins a call, and its number of characters. */
  push(given: JsonObject): { readonly isNew: boolean; readonly characters: number } {
    const piece = readCallPiece(given);
    const growing = this.find(piece);
    if (growing === undefined) this.remember(new GrowingCall(piece), piece);
    else {
      growing.grow(piece);
      this.nameAlso(growing, piece);
    }
    return { isNew: growing === undefined, characters: lengthOf(piece) };
  }

  /** Merges the complete list of a message; it completes calls that arrived in pieces. */
  pushWhole(
    list: readonly JsonObject[],
  ): readonly { readonly isNew: boolean; readonly characters: number }[] {
    this.calls = joinSplitCalls(this.calls);
    const before = [...this.calls];
    return list.map((given, position) => {
      const piece = readCallPiece({ ...given, index: position });
      const known = before[position];
      if (known === undefined) this.remember(new GrowingCall(piece), piece);
      else known.complete(piece);
      return { isNew: known === undefined, characters: lengthOf(piece) };
    });
  }

  /** Returns the calls in order of their beginning with unique ids, and the number of calls dropped for lack of a name. */
  end(): { readonly calls: readonly GrownCall[]; readonly dropped: number } {
    const calls = joinSplitCalls(this.calls).filter((call) => !call.isBlank);
    const named = calls.filter((call) => call.hasName);
    const grown = named.map((call) => ({ ...call.toCall(), kept: call.kept }));
    return { calls: distinctCalls(grown), dropped: calls.length - named.length };
  }

  private find(piece: CallPiece): GrowingCall | undefined {
    const { index, id } = piece;
    const named = id === '' ? undefined : this.latestById.get(identityOf(index, id));
    const known = named ?? (index === null ? this.calls.at(-1) : this.latestOf(index, piece));
    return known === undefined || known.isFollowedBy(piece) ? undefined : known;
  }

  /** Some servers set the index only on some pieces of a call. */
  private latestOf(index: number, { id, name }: CallPiece): GrowingCall | undefined {
    const last = this.calls.at(-1);
    const isUnnumbered = last?.index === null && id === '' && name === '';
    return this.latestByIndex.get(index) ?? (isUnnumbered ? last : undefined);
  }

  private remember(call: GrowingCall, piece: CallPiece): void {
    this.calls.push(call);
    if (piece.index !== null) this.latestByIndex.set(piece.index, call);
    this.nameAlso(call, piece);
  }

  private nameAlso(call: GrowingCall, { index, id }: CallPiece): void {
    if (id === '') return;
    this.latestById.set(identityOf(index, id), call);
    this.latestById.set(identityOf(null, id), call);
  }
}

/**
 * Joins calls that began as pieces of one name under different ids, if the last piece shows that this server's ids change
 * within a call.
 */
function joinSplitCalls(calls: readonly GrowingCall[]): GrowingCall[] {
  return calls.reduceRight<GrowingCall[]>((joined, call) => {
    const later = joined.find((one) => one.isContinuationOf(call));
    return later === undefined
      ? [call, ...joined]
      : [call.continuedBy(later), ...joined.filter((one) => one !== later)];
  }, []);
}

/** One id may stand for several calls with different indexes. */
function identityOf(index: number | null, id: string): string {
  return `${index ?? ''}/${id}`;
}

function lengthOf({ written, kept }: CallPiece): number {
  return (written?.length ?? 0) + (Object.keys(kept).length === 0 ? 0 : JSON.stringify(kept).length);
}
