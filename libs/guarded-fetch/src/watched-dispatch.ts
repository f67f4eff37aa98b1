import type { Agent, Dispatcher } from 'undici';

export interface DispatchLimits {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

export interface Watching {
  /** Aborts the request, also while its body is read. */
  readonly signal: AbortSignal;
  /** Called right before the first byte is sent. */
  readonly onSend: () => void;
}

/** The agent's connections with the limits of one request. */
export function watchedDispatch(agent: Agent, limits: DispatchLimits, watching: Watching): Dispatcher {
  return agent.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, ...limits }, watched(handler, watching)),
  );
}

/**
 * `onRequestStart` means that a connection exists; a refused or failed connection only calls `onResponseError`. The
 * signal is handled here because `fetch` holds its copy weakly: once only the body's reader is left, an abort could be
 * missed.
 */
function watched(
  handler: Dispatcher.DispatchHandler,
  { signal, onSend }: Watching,
): Dispatcher.DispatchHandler {
  let forget = (): void => undefined;
  const before: Partial<Record<string | symbol, (controller: Dispatcher.DispatchController) => void>> = {
    onRequestStart(controller) {
      const abort = (): void => controller.abort(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      forget = () => signal.removeEventListener('abort', abort);
      onSend();
    },
    onResponseEnd: () => forget(),
    onResponseError: () => forget(),
  };
  return new Proxy(handler, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: [Dispatcher.DispatchController, ...unknown[]]): unknown => {
        before[name]?.(args[0]);
        return Reflect.apply(member, target, args);
      };
    },
  });
}
