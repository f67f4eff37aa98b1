import type { JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { distinctCalls } from '../model-calls/distinct-calls.js';
import { GrowingCall, readCallPiece, type CallPiece } from './growing-call.js';

/** A tool call with the further fields that travel back with it. */
export interface GrownCall extends PromptToolCall {
  readonly kept: JsonObject;
}

/** The tool calls of one answer, each of which may arrive in pieces: distinguished by index, then id, then what they say. */
export class GrowingCalls {
  private calls: GrowingCall[] = [];
  private readonly latestByIndex = new Map<number, GrowingCall>();
  private readonly latestById = new Map<string, GrowingCall>();

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Takes the next piece; answers whether a call began with it and how many characters it has. */
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

  /** Takes the whole list, as a message holds it. Calls that came in pieces before are completed by it. */
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

  /** In the order in which they began, each under an id of its own; and how many cannot be run, since no name came. */
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

  /** Some servers number only some of the pieces of a call. */
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
 * Pieces of a name that each had another id began calls of their own. They are one call where the last of them shows that
 * ids of this server change within a call.
 */
function joinSplitCalls(calls: readonly GrowingCall[]): GrowingCall[] {
  return calls.reduceRight<GrowingCall[]>((joined, call) => {
    const later = joined.find((one) => one.isContinuationOf(call));
    return later === undefined
      ? [call, ...joined]
      : [call.continuedBy(later), ...joined.filter((one) => one !== later)];
  }, []);
}

/** One id may stand for several calls with indexes of their own. */
function identityOf(index: number | null, id: string): string {
  return `${index ?? ''}/${id}`;
}

function lengthOf({ written, kept }: CallPiece): number {
  return (written?.length ?? 0) + (Object.keys(kept).length === 0 ? 0 : JSON.stringify(kept).length);
}
