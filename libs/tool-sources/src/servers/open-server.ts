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

/** Drivers by server type; a type without a driver is unsupported in this installation. */
export type ToolServerDrivers = Readonly<Partial<Record<ToolServerType, ToolServerDriver>>>;

/** Maximum milliseconds to open one server; a tool source has 20 s in total for all its servers. */
const MAX_OPENING_MS = 12_000;

/**
 * Opens a server within the time limit, even if its driver ignores the signal; a server that opens later is closed at
 * once. The result is redacted of the server's credentials. Always rejects with a `ToolServerFailure`.
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
  const limitMs = Math.min(server.limits.timeout_ms, MAX_OPENING_MS);
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

/**
 * Detachable listener: a signal with a timeout keeps its listeners, and the opened server, in memory until it fires.
 */
function listenForAbort(signal: AbortSignal): { readonly rejected: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(new Error('the opening of a tool server was given up'));
  if (signal.aborted) give();
  else signal.addEventListener('abort', give, { once: true });
  return { rejected: promise, forget: () => signal.removeEventListener('abort', give) };
}
