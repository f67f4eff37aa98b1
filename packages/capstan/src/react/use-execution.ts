import { useEffect, useRef, useState } from 'react';
import { Capstan, type FollowExecutionOptions } from '../client/index.js';
import { EMPTY_VIEW, foldEvent, type ExecutionView } from './execution-view.js';

export interface UseExecutionOptions {
  /** Stream token of the execution, from your server; a function is asked for another one once it has expired. */
  readonly streamToken?: FollowExecutionOptions['streamToken'];
  /** Address of the service, where a token is given; by default that of the page. */
  readonly baseUrl?: string;
  /** A client in place of a token, such as one with a `fetch` that goes through your server. */
  readonly client?: Capstan;
}

interface Page {
  readonly location?: { readonly origin: string };
}

/** Follows an execution while the component is shown; `id` null follows none. */
export function useExecution(id: string | null, options: UseExecutionOptions): ExecutionView {
  const { client, baseUrl, streamToken } = options;
  const [shown, setShown] = useState({ id, view: EMPTY_VIEW });
  const token = useRef(streamToken);
  // A token that is replaced, or a function made anew in each render, does not begin the stream again.
  useEffect(() => {
    token.current = streamToken;
  });
  useEffect(() => {
    if (id === null) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const asked =
      client ?? new Capstan({ apiKey: null, baseUrl: baseUrl ?? (globalThis as Page).location?.origin });
    const isToken = token.current !== undefined;
    void showEvents(
      asked,
      id,
      (change) => signal.aborted || setShown(({ view }) => ({ id, view: change(view) })),
      {
        signal,
        ...(isToken && { streamToken: async () => tokenOf(token.current) }),
      },
    );
    return () => leaving.abort();
  }, [id, client, baseUrl]);
  return shown.id === id ? shown.view : EMPTY_VIEW;
}

async function tokenOf(source: FollowExecutionOptions['streamToken']): Promise<string> {
  return (typeof source === 'function' ? await source() : source) ?? '';
}

/** Changes the view at each event; an error is part of it. */
async function showEvents(
  client: Capstan,
  id: string,
  change: (next: (view: ExecutionView) => ExecutionView) => unknown,
  options: FollowExecutionOptions,
): Promise<void> {
  try {
    const events = client.executions.follow(id, {
      ...options,
      // A stream that begins shows nothing of another one.
      onConnection: (connection) =>
        change((view) => ({ ...(connection === 'connecting' ? EMPTY_VIEW : view), connection })),
    });
    for await (const event of events) change((view) => foldEvent(view, event));
  } catch (error) {
    change((view) => ({ ...view, connection: 'ended', error }));
  }
}
