import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api, randomKey } from '../api/client.js';
import type { StoredFile } from '../api/types.js';
import { requestOf, type Draft, type ExecuteRequest } from './request-of.js';
import type { Side } from './try-search.js';

/** A message on its way to an agent, and the request that sends it: the same one at every try. */
export interface Sent {
  /** Idempotency key, so that a try after a lost answer does not run it twice. */
  readonly key: string;
  readonly agent: number;
  readonly request: ExecuteRequest;
  readonly files: readonly StoredFile[];
  /** Null until it was accepted. */
  readonly runId: string | null;
  /** Why it was not accepted; null while it is asked. */
  readonly error: unknown;
}

export interface Sends {
  readonly sent: readonly Sent[];
  /** Whether an answer is being waited for. */
  readonly isSending: boolean;
  readonly send: (draft: Draft, side: Side) => void;
  readonly sendAgain: (sent: Sent) => void;
  readonly discard: (sent: Sent) => void;
  /** Discards refused messages with this text. */
  readonly discardRefused: (text: string | undefined) => void;
  readonly clear: () => void;
}

/**
 * Messages that one side was sent. One that was refused stays, with the reason, until it is sent again or discarded.
 * @param onSession called with the session of a message that was accepted
 */
export function useSends(onSession: (uuid: string) => void): Sends {
  const queries = useQueryClient();
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const change = (key: string, fields: Partial<Sent>): void =>
    setSent((before) => before.map((one) => (one.key === key ? { ...one, ...fields } : one)));
  const submit = async ({ key, agent, request }: Sent): Promise<void> => {
    try {
      const params = { path: { id: agent }, header: { 'Idempotency-Key': key } };
      const run = await answerOf(api.POST('/api/agents/{id}/execute/', { params, body: request }));
      change(key, { runId: run.id });
      onSession(run.session_uuid);
      await queries.invalidateQueries({ queryKey: ['session', run.session_uuid] });
    } catch (error) {
      change(key, { error });
    }
  };
  return {
    sent,
    isSending: sent.some(({ runId, error }) => runId === null && error === null),
    send: (draft, side) => {
      const key = randomKey();
      const request = requestOf(draft, side);
      const one = { key, agent: side.agent, request, files: draft.files, runId: null, error: null };
      setSent((before) => [...before, one]);
      void submit(one);
    },
    sendAgain: (one) => {
      change(one.key, { error: null });
      void submit(one);
    },
    discard: ({ key }) => setSent((before) => before.filter((one) => one.key !== key)),
    discardRefused: (text) =>
      setSent((before) => before.filter(({ error, request }) => error === null || request.input !== text)),
    clear: () => setSent([]),
  };
}
