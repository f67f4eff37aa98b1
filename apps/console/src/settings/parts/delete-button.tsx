import type { ReactNode } from 'react';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { useMissingScope } from '../../app/session.js';
import { Confirm } from '../../ui/confirm.js';
import { AskingButton } from './asking-button.js';
import { useOpen } from './use-open.js';

interface DeleteButtonProps {
  /** Name of the thing, as the dialog and the toast say it. */
  readonly name: string;
  readonly onDelete: () => Promise<unknown>;
  /** Key of the list that is read again. */
  readonly listKey: QueryKey;
  /** Consequence of the deletion. */
  readonly children: ReactNode;
}

/** Deletes the open thing of a settings tab, after a question; keys without `agents:write` cannot. */
export function DeleteButton({ name, onDelete, listKey, children }: DeleteButtonProps) {
  const { close } = useOpen();
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const deleting = useMutation({
    mutationFn: onDelete,
    onSuccess: () => {
      toast.success(`${name} is deleted`);
      close();
      return queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <AskingButton
      look="danger"
      unavailable={missingScope}
      dialog={(closeDialog) => (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete"
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={closeDialog}
        >
          <p>{children}</p>
        </Confirm>
      )}
    >
      <Trash2 aria-hidden className="size-3.5" /> Delete …
    </AskingButton>
  );
}
