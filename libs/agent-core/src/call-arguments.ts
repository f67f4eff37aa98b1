import { parseToolArguments, type ParsedArguments } from '#libs/tooling';
import type { RequestedCall } from './journal-entry.js';
import type { ToolCallState } from './scope-state.js';

const parsed = new WeakMap<RequestedCall, ParsedArguments>();

/** The parsed arguments of a call, cached for verdict, audit, events and prompt. Must not be mutated. */
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

/** Evicts the parsed arguments of a settled call. */
export function forgetArguments({ requested }: Pick<ToolCallState, 'requested'>): void {
  parsed.delete(requested);
}
