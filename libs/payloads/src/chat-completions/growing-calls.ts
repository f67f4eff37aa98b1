import { toStorableJson, toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { readObject, readText } from '../model-calls/read-json.js';

interface GrowingCall {
  readonly index: number | null;
  id: string;
  name: string;
  /** Null until a server sends any. */
  arguments: string | null;
  /** Those of {@link KEPT_FIELDS} that its server sent. */
  kept: JsonObject;
}

/** Where servers put the signature of the thought that led to a call; they refuse the call without it in the next round. */
const KEPT_FIELDS = ['extra_content', 'provider_specific_fields', 'thought_signature'] as const;

/** The tool calls of one answer, each of which may arrive in pieces. */
export class GrowingCalls {
  private readonly calls: GrowingCall[] = [];

  /** Takes the next piece; answers whether a call began with it and how long its arguments are. */
  push(piece: JsonObject): { readonly isNew: boolean; readonly characters: number } {
    const called = readObject(piece, 'function');
    const begun = {
      index: typeof piece['index'] === 'number' ? piece['index'] : null,
      id: readText(piece, 'id') ?? '',
      name: readText(called, 'name') ?? '',
    };
    const written = argumentsOf(called);
    const kept = keptOf(piece);
    const growing = this.find(begun);
    if (growing === undefined) {
      this.calls.push({ ...begun, arguments: written, kept });
      return { isNew: true, characters: lengthOf(written, kept) };
    }
    growing.id ||= begun.id;
    growing.name ||= begun.name;
    if (written !== null) growing.arguments = (growing.arguments ?? '') + written;
    growing.kept = { ...growing.kept, ...kept };
    return { isNew: false, characters: lengthOf(written, kept) };
  }

  /** In the order in which they began. A server that names no call leaves it to us. */
  end(): PromptToolCall[] {
    return this.calls.map((call, at) => ({
      id: idOf(call, at),
      name: toStorableText(call.name),
      arguments: toStorableText(call.arguments ?? '{}'),
    }));
  }

  /** Further fields that travel back with a call, by its id. */
  kept(): Record<string, JsonObject> {
    const withFields = this.calls.map((call, at) => [idOf(call, at), call.kept] as const);
    return Object.fromEntries(withFields.filter(([, kept]) => Object.keys(kept).length > 0));
  }

  /**
   * Servers that number every call 0, or none at all, still distinguish calls: by their ids, else by a name after a
   * whole call.
   */
  private find(begun: Omit<GrowingCall, 'arguments' | 'kept'>): GrowingCall | undefined {
    const { index, id, name } = begun;
    const last = index === null ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    if (last === undefined) return undefined;
    if (id !== '' && last.id !== '') return id === last.id ? last : undefined;
    if (id !== '' || name === '' || last.name === '') return last;
    // Named again: another call, or the same name with each piece of one.
    return index === null || isWhole(last) ? undefined : last;
  }
}

function idOf({ id }: GrowingCall, at: number): string {
  return toStorableText(id).trim() === '' ? `call_${at + 1}` : toStorableText(id);
}

function keptOf(piece: JsonObject): JsonObject {
  const given = KEPT_FIELDS.flatMap((field) => {
    const value = toStorableJson(piece[field] ?? null);
    return value === null ? [] : [[field, value] as const];
  });
  return Object.fromEntries(given);
}

function lengthOf(written: string | null, kept: JsonObject): number {
  return (written?.length ?? 0) + (Object.keys(kept).length === 0 ? 0 : JSON.stringify(kept).length);
}

function isWhole({ arguments: written }: GrowingCall): boolean {
  try {
    JSON.parse(written ?? '');
    return true;
  } catch {
    return false;
  }
}

/** A text, as the API has it; some servers send the object itself. Null where there is none. */
function argumentsOf(called: JsonObject): string | null {
  const written = called['arguments'];
  if (written === undefined || written === null) return null;
  return typeof written === 'string' ? written : JSON.stringify(toStorableJson(written));
}
