import { LeaseLostError, mayStillWrite, type LoopSignals } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { loopParametersSchema } from '#libs/payloads';
import { readAttachments, type AttachedFile } from '#libs/tooling';
import { loadAttachments, type LoadedAttachments } from '../attachments/load-attachments.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import { parametersOf, parseParameters } from './plan-parameters.js';
import type { UsableContext } from './usable-context.js';
import { withinTime } from './within-time.js';

/** The longest that reading the files of one request may take, in milliseconds. */
const LONGEST_READING_MS = 120_000;

type ReadingDependencies = Pick<AttemptDependencies, 'attachments' | 'attachedRoom' | 'sha256' | 'timers'>;

/** What reading them needs of its attempt. */
export interface ReadingParts {
  readonly claim: Claim;
  readonly model: Pick<ResolvedModel, 'nativeMedia'>;
  readonly signals: LoopSignals;
  readonly onEnd: (close: () => Promise<void>) => void;
}

/**
 * With what is in the files that came with the request, once this process has room for them. Where nothing comes of
 * that: `stopped`, the execution is cancelled or late; `drained`, the process is to end. Throws `ATTACHMENTS_UNAVAILABLE`,
 * which is `retryable`, where reading them takes too long, and as `loadAttachments` does.
 */
export async function withAttachments<Usable extends UsableContext>(
  { attachments: reader, attachedRoom, sha256, timers }: ReadingDependencies,
  usable: Usable,
  { claim, model, signals: { abort: stop, drain }, onEnd }: ReadingParts,
): Promise<(Usable & { readonly attached: LoadedAttachments | null }) | 'stopped' | 'drained'> {
  const files = readAttachments(claim.request.additional_data);
  if (files.length === 0) return { ...usable, attached: null };
  const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const held = await attachedRoom.take(claim.tenantId, bytes, [stop, drain]);
  if (held === null) return endOfWaiting(claim, stop);
  onEnd(() => {
    held.end();
    return Promise.resolve();
  });
  const loop = parseParameters(loopParametersSchema, parametersOf(claim, usable));
  const native = loop.native_media ?? model.nativeMedia;
  const pinned = usable.preparation?.attachments ?? null;
  const attached = await withinTime(
    (signal) => loadAttachments(reader, { claim, pinned, native }, sha256, signal),
    { claim, stop, timers, longestMs: LONGEST_READING_MS, tooLate: takesTooLong },
  );
  if (attached === null) return 'stopped';
  held.keep(sizeOf(files, attached));
  return { ...usable, attached };
}

/** Of what goes to the model as it is; of the others there is nothing left but some text. */
function sizeOf(files: readonly AttachedFile[], { pinned }: LoadedAttachments): number {
  const whole = new Set(pinned.filter(({ as }) => as !== 'text').map(({ fileId }) => fileId));
  return files.reduce((sum, { id, size_bytes }) => sum + (whole.has(id) ? size_bytes : 0), 0);
}

function endOfWaiting({ executionId, epoch }: Claim, stop: AbortSignal): 'stopped' | 'drained' {
  if (!stop.aborted) return 'drained';
  if (mayStillWrite(stop)) return 'stopped';
  throw new LeaseLostError(executionId, epoch);
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'ATTACHMENTS_UNAVAILABLE',
    kind: 'timeout',
    message: `the attached files were not read within ${LONGEST_READING_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}
