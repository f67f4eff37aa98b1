import { toStorableJson, toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { readObject, readText } from '../responses/read-json.js';

interface GrowingCall {
  readonly index: number | null;
  id: string;
  name: string;
  /** Null until a server sends any. */
  arguments: string | null;
}

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
    const growing = this.find(begun);
    if (growing === undefined) {
      this.calls.push({ ...begun, arguments: written });
      return { isNew: true, characters: written?.length ?? 0 };
    }
    growing.id ||= begun.id;
    growing.name ||= begun.name;
    if (written !== null) growing.arguments = (growing.arguments ?? '') + written;
    return { isNew: false, characters: written?.length ?? 0 };
  }

  /** In the order in which they began. A server that names no call leaves it to us. */
  end(): PromptToolCall[] {
    return this.calls.map((call, at) => ({
      id: toStorableText(call.id).trim() === '' ? `call_${at + 1}` : toStorableText(call.id),
      name: toStorableText(call.name),
      arguments: toStorableText(call.arguments ?? '{}'),
    }));
  }

  /**
   * Servers that number every call 0, or none at all, still distinguish calls: by their ids, else by a name after a
   * whole call.
   */
  private find(begun: Omit<GrowingCall, 'arguments'>): GrowingCall | undefined {
    const { index, id, name } = begun;
    const last = index === null ? this.calls.at(-1) : this.calls.findLast((call) => call.index === index);
    if (last === undefined) return undefined;
    if (id !== '' && last.id !== '') return id === last.id ? last : undefined;
    if (id !== '' || name === '' || last.name === '') return last;
    // Named again: another call, or the same name with each piece of one.
    return index === null || isWhole(last) ? undefined : last;
  }
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
