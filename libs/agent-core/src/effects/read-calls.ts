import type { RequestedCall } from '../journal-entry.js';
import type { LoopPorts } from './loop-ports.js';

/** Characters of arguments after which other work of the process has its turn. */
const CHARACTERS_IN_A_TURN = 65_536;

/** The results of `read` for calls in their order. Where arguments are large the event loop has turns after them. */
export async function readCalls<Call extends RequestedCall, Read>(
  calls: readonly Call[],
  read: (call: Call) => Read,
  ports: Pick<LoopPorts, 'wait'>,
): Promise<Read[]> {
  const results: Read[] = [];
  let characters = 0;
  for (const call of calls) {
    results.push(read(call));
    characters += call.arguments.length;
    if (characters <= CHARACTERS_IN_A_TURN) continue;
    await ports.wait(0, new AbortController().signal);
    characters = 0;
  }
  return results;
}
