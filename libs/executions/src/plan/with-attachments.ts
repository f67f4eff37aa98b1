import { LeaseLostError, type LoopSignals, mayStillWrite } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { loopParametersSchema } from '#libs/payloads';
import { readAttachments } from '#libs/tooling';
import type { AttachedRoom, HeldRoom } from '../attachments/attached-room.js';
import { loadAttachments, type LoadedAttachments } from '../attachments/load-attachments.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import { parametersOf, parseParameters } from './plan-parameters.js';
import type { UsableContext } from './usable-context.js';
import { withinTime } from './within-time.js';

/** Maximum time for reading the files of one request, in milliseconds. */
const MAX_READING_MS = 120_000;

/**
 * Adds the request's files; a pipeline's files are read by its steps. Null when `stop` reports cancellation or the
 * deadline. Throws the retryable `ATTACHMENTS_UNAVAILABLE` on timeout, and errors of `loadAttachments`.
 */
export async function withAttachments<Usable extends UsableContext>(
  { attachments: reader, sha256, timers }: Pick<AttemptDependencies, 'attachments' | 'sha256' | 'timers'>,
  claim: Claim,
  usable: Usable,
  model: Pick<ResolvedModel, 'nativeMedia'>,
  stop: AbortSignal,
): Promise<(Usable & { readonly attached: LoadedAttachments | null }) | null> {
  const isPipeline = usable.usecaseType === 'CUSTOM';
  if (isPipeline || readAttachments(claim.request.additional_data).length === 0)
    return { ...usable, attached: null };
  const loop = parseParameters(loopParametersSchema, parametersOf(claim, usable));
  const native = loop.native_media ?? model.nativeMedia;
  const pinned = usable.preparation?.attachments ?? null;
  const attached = await withinTime(
    (signal) => loadAttachments(reader, { claim, pinned, native }, sha256, signal),
    { claim, stop, timers, longestMs: MAX_READING_MS, tooLate: takesTooLong },
  );
  return attached && { ...usable, attached };
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'ATTACHMENTS_UNAVAILABLE',
    kind: 'timeout',
    message: `the attached files were not read within ${MAX_READING_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}

interface RoomParts {
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
