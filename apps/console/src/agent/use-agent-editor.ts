import { useEffect, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import { fieldFaultsOf } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import type { AgentVersion } from '../api/types.js';
import { newestVersionQuery } from './agent-queries.js';
import { changedFields, draftOf, isDirty, patchOf, rebased, type AgentDraft } from './draft/agent-draft.js';
import { keptDrafts } from './kept-drafts.js';
import { showWarnings } from './show-warnings.js';

/** The draft of a stored agent: saved as a change of the version it was made from, and of no other. */
export function useAgentEditor(newest: AgentVersion) {
  const { id } = newest;
  const queries = useQueryClient();
  const kept = keptDrafts.get(id);
  const [base, setBase] = useState(kept?.base ?? newest);
  const [draft, setDraft] = useState(kept?.draft ?? draftOf(base));
  const dirty = isDirty(draftOf(base), draft);
  const start = (version: AgentVersion, next: AgentDraft): void => {
    setBase(version);
    setDraft(next);
  };
  const isNewer = newest.version > base.version;
  if (isNewer && !dirty) start(newest, draftOf(newest));
  // Only the state was changed, which is no part of the draft.
  else if (isNewer && changedFields(draftOf(base), draftOf(newest)).length === 0) start(newest, draft);
  useEffect(() => {
    if (dirty) keptDrafts.set(id, { base, draft });
    else keptDrafts.delete(id);
  }, [id, dirty, base, draft]);

  const saving = useMutation({
    mutationFn: (sent: { readonly base: AgentVersion; readonly draft: AgentDraft }) =>
      answerOf(
        api.PATCH('/api/agents/{id}/', {
          params: { path: { id }, header: { 'If-Match': `"${sent.base.version}"` } },
          body: patchOf(draftOf(sent.base), sent.draft),
        }),
      ),
    onSuccess: async ({ warnings }, sent) => {
      await queries.invalidateQueries({ queryKey: ['agents'] });
      const saved = await queries.query(newestVersionQuery(id));
      setBase(saved);
      // Changes that were typed while the request was under way stay.
      setDraft((now) => rebased(now, sent.draft, draftOf(saved)));
      toast.success(`Version ${saved.version} is saved`);
      showWarnings(warnings);
    },
    onError: (error) => {
      if (problemOf(error).status === 412) void queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  const conflict = dirty && isNewer ? newest : null;
  return {
    base,
    draft,
    isDirty: dirty,
    isSaving: saving.isPending,
    error: conflict === null ? saving.error : null,
    faults: fieldFaultsOf(saving.error),
    /** A version that was saved elsewhere since the draft was begun. */
    conflict,
    change: (part: Partial<AgentDraft>) => setDraft((now) => ({ ...now, ...part })),
    save: () => saving.mutate({ base, draft }),
    discard: () => {
      saving.reset();
      start(newest, draftOf(newest));
    },
    /** Puts the changes on top of the newest version. */
    rebase: () => {
      saving.reset();
      start(newest, rebased(draft, draftOf(base), draftOf(newest)));
    },
  };
}

export type AgentEditor = ReturnType<typeof useAgentEditor>;
