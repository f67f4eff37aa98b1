import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import { problemOf } from '../api/problem.js';
import { sessionQuery } from '../api/sessions.js';
import type { Session } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { SessionTitle } from '../sessions/session-title.js';
import { Button, IconButton } from '../ui/button.js';
import { Input } from '../ui/field.js';

const MAX_CHARACTERS = 200;

/** Title of a session, which a person may change; no generated one takes its place then. */
export function TitleEditor({ session }: { readonly session: Session }) {
  const [draft, setDraft] = useState<string | null>(null);
  const missingScope = useMissingScope('sessions:write');
  const renaming = useRename(session.uuid);
  if (draft === null) {
    return (
      <span className="flex min-w-0 items-center gap-1">
        <span className="truncate">
          <SessionTitle session={session} />
        </span>
        <IconButton
          label={missingScope ?? 'Change the title'}
          unavailable={missingScope}
          className="size-6"
          onClick={() => setDraft(session.title ?? '')}
        >
          <Pencil aria-hidden className="size-3.5" />
        </IconButton>
      </span>
    );
  }
  const close = (): void => {
    renaming.reset();
    setDraft(null);
  };
  const save = (): void => {
    const before = session.title;
    renaming.mutate(draft, {
      onSuccess: () => {
        setDraft(null);
        const undo = before !== null && { label: 'Undo', onClick: () => renaming.mutate(before) };
        toast.success('Title changed', undo === false ? {} : { action: undo });
      },
    });
  };
  const fault = renaming.isError ? faultOf(renaming.error) : null;
  return (
    <form
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-base"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <Input
        autoFocus
        required
        aria-label="Title"
        aria-invalid={fault !== null}
        aria-describedby="title-fault"
        maxLength={MAX_CHARACTERS}
        value={draft}
        className="min-w-40 flex-1 font-normal"
        onChange={({ target }) => setDraft(target.value)}
      />
      <Button type="submit" look="primary" disabled={renaming.isPending || draft.trim() === ''}>
        Save
      </Button>
      <Button look="quiet" onClick={close}>
        Leave it
      </Button>
      <span id="title-fault" role="alert" className="font-normal text-failed">
        {fault}
      </span>
    </form>
  );
}

function useRename(uuid: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (title: string) =>
      answerOf(
        api.PATCH('/api/sessions/{uuid}/', { params: { path: { uuid } }, body: { title: title.trim() } }),
      ),
    onSuccess: (session) => {
      queries.setQueryData(sessionQuery(uuid).queryKey, session);
      return queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
}

/** Fault of the title, or else why it could not be changed. */
function faultOf(error: unknown): string {
  const { faults, message } = problemOf(error);
  return faults.find((fault) => fault.startsWith('#/title'))?.replace('#/title: ', '') ?? message;
}
