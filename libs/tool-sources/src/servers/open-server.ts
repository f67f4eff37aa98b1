import {
  ToolServerFailure,
  type OpenedServer,
  type ServerCredentials,
  type ToolServer,
  type ToolServerDriver,
  type ToolServerType,
  type ToolSourceContext,
} from '#libs/tooling';
import { failureWithoutCredentials, SentCredentials, withoutCredentials } from './without-credentials.js';

/** Who speaks to the servers of each type; a type that is not there cannot be used in this installation. */
export type ToolServerDrivers = Readonly<Partial<Record<ToolServerType, ToolServerDriver>>>;

/** A source of tools as a whole has 20 s; one server that does not answer leaves time for the others. */
const LONGEST_OPENING_MS = 12_000;

/**
 * Connects to a server within its time, whether its driver minds the signal or not: what opens later is closed at once.
 * What it repeats of its credentials is nowhere in what comes of it.
 * Rejects with a `ToolServerFailure`, always.
 */
export async function openServer(
  drivers: ToolServerDrivers,
  server: ToolServer,
  credentials: ServerCredentials,
  run: ToolSourceContext | null,
  signal: AbortSignal,
): Promise<OpenedServer> {
  const driver = drivers[server.type];
  if (driver === undefined)
    throw new ToolServerFailure('unsupported', `this installation has no servers of type ${server.type}`);
  const limitMs = Math.min(server.limits.timeout_ms, LONGEST_OPENING_MS);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  let isLate = false;
  const sent = new SentCredentials(credentials);
  const opening = (async () => driver.open(server, sent.credentials, run, stop))();
  opening.then(
    (opened) => (isLate ? opened.close() : undefined),
    () => undefined,
  );
  const abortion = listenForAbort(stop);
  try {
    const opened = await Promise.race([opening, abortion.rejected]);
    return await withoutCredentials(opened, sent, stop);
  } catch (error) {
    isLate = true;
    if (error instanceof ToolServerFailure) throw failureWithoutCredentials(error, sent);
    const message = stop.aborted ? 'it did not answer in time' : 'it could not be connected to';
    throw new ToolServerFailure('unreachable', message, { cause: error });
  } finally {
    abortion.forget();
  }
}

/** Who listens to a signal with a time keeps it, and all that was opened, until that time is over, or he listens no more. */
function listenForAbort(signal: AbortSignal): { readonly rejected: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(new Error('the opening of a tool server was given up'));
  if (signal.aborted) give();
  else signal.addEventListener('abort', give, { once: true });
  return { rejected: promise, forget: () => signal.removeEventListener('abort', give) };
}
