import { parseToolArguments, type ParsedArguments } from '#libs/tooling';
import type { RequestedCall } from './journal-entry.js';
import type { ToolCallState } from './scope-state.js';

const parsed = new WeakMap<RequestedCall, ParsedArguments>();

/** The arguments of a call, parsed once for verdict, audit, events and prompt. They are not to be changed. */
export function argumentsOf({
  requested,
  arguments: written,
}: Pick<ToolCallState, 'requested' | 'arguments'>): ParsedArguments {
  const known = parsed.get(requested);
  if (known !== undefined) return known;
  const read = parseToolArguments(written);
  parsed.set(requested, read);
  return read;
}

/** Drops the parsed arguments of a call that is over. */
export function forgetArguments({ requested }: Pick<ToolCallState, 'requested'>): void {
  parsed.delete(requested);
}
