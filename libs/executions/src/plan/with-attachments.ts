import { AppError } from '#libs/kernel';
import { loopParametersSchema } from '#libs/payloads';
import { readAttachments } from '#libs/tooling';
import { loadAttachments, type LoadedAttachments } from '../attachments/load-attachments.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
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
