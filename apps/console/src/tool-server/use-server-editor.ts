import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import { fieldFaultsOf } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import { changedParts, rebasedServer, type bodyOf } from './server-change.js';
import { serverDraftOf, type ServerDraft } from './server-draft.js';
import { toolServerQuery, type TaggedServer } from './server-queries.js';

/** The draft of a stored server: saved as a change of the version that it was made from, and of no other. */
export function useServerEditor(newest: TaggedServer) {
  const queries = useQueryClient();
  const { id } = newest.server;
  const [base, setBase] = useState(newest);
  const [draft, setDraft] = useState(() => serverDraftOf(newest.server));
  const changed = changedParts(serverDraftOf(base.server), draft);
  const isDirty = Object.keys(changed).length > 0;
  const start = (version: TaggedServer): void => {
    setBase(version);
    setDraft(serverDraftOf(version.server));
  };
  if (newest.tag !== base.tag && !isDirty) start(newest);
  const saving = useMutation({
    mutationFn: (body: Partial<ReturnType<typeof bodyOf>>) =>
      answerOf(
        api.PATCH('/api/mcp-servers/{id}/', {
          params: { path: { id }, header: { 'If-Match': base.tag } },
          body,
        }),
      ),
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({
        queryKey: ['tool-servers'],
        predicate: ({ queryKey }) => queryKey[2] !== 'probe',
      });
      void queries.invalidateQueries({ queryKey: ['tools'] });
      start(await queries.query(toolServerQuery(id)));
      toast.success(`${name} is saved`);
    },
    onError: (error) => {
      if (problemOf(error).status === 412)
        void queries.invalidateQueries({ queryKey: ['tool-servers', id], exact: true });
    },
  });
  const conflict = isDirty && newest.tag !== base.tag ? newest : null;
  return {
    base,
    draft,
    isDirty,
    isSaving: saving.isPending,
    error: conflict === null ? saving.error : null,
    faults: fieldFaultsOf(saving.error),
    /** The server as it was saved elsewhere since the draft was begun. */
    conflict,
    change: (part: Partial<ServerDraft>) => setDraft((now) => ({ ...now, ...part })),
    save: () => saving.mutate(changed),
    discard: () => {
      saving.reset();
      start(newest);
    },
    /** Puts the changes on top of what is stored now. */
    rebase: () => {
      saving.reset();
      setDraft(rebasedServer(draft, serverDraftOf(base.server), serverDraftOf(newest.server)));
      setBase(newest);
    },
  };
}

export type ServerEditor = ReturnType<typeof useServerEditor>;
