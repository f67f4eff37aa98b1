import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import type { Datasource } from '../api/types.js';
import type { Versioned } from '../api/versioned.js';
import { useMissingScope } from '../app/session.js';
import { Confirm } from '../ui/confirm.js';
import { Button } from '../ui/button.js';
import { DatasourceForm } from './datasource-form.js';

/** Change and deletion of a datasource; one with documents is not deleted. */
export function DatasourceActions({ datasource }: { readonly datasource: Versioned<Datasource> }) {
  const { id, name, document_count: count } = datasource.value;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const missingScope = useMissingScope('agents:write');
  const [open, setOpen] = useState<'form' | 'deletion' | null>(null);
  const close = (): void => setOpen(null);
  const deleting = useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/datasources/{id}/', { params: { path: { id } } })),
    onSuccess: async () => {
      toast.success(`${name} is deleted`);
      await navigate({ to: '/knowledge' });
      queries.removeQueries({ queryKey: ['datasource', id] });
      return queries.invalidateQueries({ queryKey: ['datasources'] });
    },
  });
  const inUse = count > 0 ? 'Delete its documents first' : null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button unavailable={missingScope} onClick={() => setOpen('form')}>
        <Pencil aria-hidden className="size-3.5" /> Change …
      </Button>
      <Button look="danger" unavailable={missingScope ?? inUse} onClick={() => setOpen('deletion')}>
        <Trash2 aria-hidden className="size-3.5" /> Delete …
      </Button>
      {open === 'form' && <DatasourceForm current={datasource} onClose={close} onSaved={() => undefined} />}
      {open === 'deletion' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete"
          refusal="Leave it"
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={close}
        >
          <p>Agents that name this datasource find nothing in it any more.</p>
        </Confirm>
      )}
    </div>
  );
}
