import type { Agent, Dispatcher } from 'undici';

export interface DispatchLimits {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

export interface Watching {
  /** Ends the request, also while its body is read. */
  readonly signal: AbortSignal;
  /** Called when the first byte is about to be sent. */
  readonly onSend: () => void;
}

/** The same connections with limits of one request. */
export function watchedDispatch(agent: Agent, limits: DispatchLimits, watching: Watching): Dispatcher {
  return agent.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, ...limits }, watched(handler, watching)),
  );
}

/**
 * A request that begins has a connection: one that was refused, or never stood, comes to `onResponseError` alone. The signal
 * is minded here, since `fetch` holds its own copy of it weakly: once nobody but the reader of the body is left, an abort
 * could go unheard.
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
