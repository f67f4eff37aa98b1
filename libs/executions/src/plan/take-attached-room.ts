import { LeaseLostError, mayStillWrite, type LoopSignals } from '#libs/agent-core';
import { readAttachments } from '#libs/tooling';
import type { AttachedRoom, HeldRoom } from '../attachments/attached-room.js';
import type { LoadedAttachments } from '../attachments/load-attachments.js';
import type { Claim } from '../ports/claim-store.js';

export interface RoomParts {
  readonly claim: Claim;
  readonly signals: LoopSignals;
  readonly onEnd: (close: () => Promise<void>) => void;
}

/**
 * Reserves memory for the request's files until the attempt ends, once per execution: a pipeline step must not wait for
 * its own execution's memory. Null without files; `stopped`: cancelled or late; `drained`: the process drains.
 */
export async function takeAttachedRoom(
  room: AttachedRoom,
  { claim, signals: { abort: stop, drain }, onEnd }: RoomParts,
): Promise<HeldRoom | null | 'stopped' | 'drained'> {
  const files = readAttachments(claim.request.additional_data);
  if (files.length === 0) return null;
  const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const held = await room.take(claim.tenantId, bytes, [stop, drain]);
  if (held === null) return endOfWaiting(claim, stop);
  onEnd(() => {
    held.end();
    return Promise.resolve();
  });
  return held;
}

/** Bytes that stay in memory after reading: files sent to the model unconverted count fully, others only leave text. */
export function heldBytes({ request }: Pick<Claim, 'request'>, { pinned }: LoadedAttachments): number {
  const whole = new Set(pinned.filter(({ as }) => as !== 'text').map(({ fileId }) => fileId));
  const files = readAttachments(request.additional_data).filter(({ id }) => whole.has(id));
  return files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}

function endOfWaiting({ executionId, epoch }: Claim, stop: AbortSignal): 'stopped' | 'drained' {
  if (!stop.aborted) return 'drained';
  if (mayStillWrite(stop)) return 'stopped';
  throw new LeaseLostError(executionId, epoch);
}
