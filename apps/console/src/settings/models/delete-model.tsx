import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../../api/client.js';
import type { Llm } from '../../api/types.js';
import type { Versioned } from '../../api/versioned.js';
import { useMissingScope } from '../../app/session.js';
import { Confirm } from '../../ui/confirm.js';
import { AskingButton } from '../parts/asking-button.js';
import { useOpen } from '../parts/use-open.js';
import { LLMS_KEY } from './model-queries.js';

export function DeleteModel({ stored: { value, version } }: { readonly stored: Versioned<Llm> }) {
  const { close } = useOpen();
  const queries = useQueryClient();
  const missingScope = useMissingScope('agents:write');
  const deleting = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE('/api/llms/{id}/', {
          params: { path: { id: value.id }, header: { 'If-Match': version } },
        }),
      ),
    onSuccess: () => {
      toast.success(`${value.name} is deleted`);
      close();
      return queries.invalidateQueries({ queryKey: LLMS_KEY });
    },
  });
  return (
    <AskingButton
      look="danger"
      unavailable={missingScope}
      dialog={(closeDialog) => (
        <Confirm
          title={`Delete ${value.name}?`}
          action="Delete"
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={closeDialog}
        >
          <p>Its key is deleted, too. A configuration that an agent uses cannot be deleted.</p>
        </Confirm>
      )}
    >
      <Trash2 aria-hidden className="size-3.5" /> Delete …
    </AskingButton>
  );
}
