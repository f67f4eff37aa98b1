import { lazy, Suspense, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PencilLine, RotateCcw, Square, Terminal } from 'lucide-react';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import type { Execution, ExecutionWithRequest } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { Button } from '../ui/button.js';
import { Confirm } from '../ui/confirm.js';
import { copyText } from '../ui/copy-button.js';
import { isSettled } from '../api/runs.js';
import { toastProblem } from '../ui/problem-toast.js';
import { curlCommand } from './again/curl-command.js';

const EditDialog = lazy(() =>
  import('./again/edit-dialog.js').then(({ EditDialog: component }) => ({ default: component })),
);

export function RunActions({ run }: { readonly run: ExecutionWithRequest }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        title="Copy a command that submits the same request again"
        onClick={() =>
          void copyText(curlCommand(run, location.origin), 'Command copied; API_KEY is a key of yours')
        }
      >
        <Terminal aria-hidden className="size-3.5" /> curl
      </Button>
      <RunWithChanges run={run} />
      {isSettled(run) ? <Retry run={run} /> : <Cancel run={run} />}
    </div>
  );
}

function RunWithChanges({ run }: { readonly run: ExecutionWithRequest }) {
  const missingScope = useMissingScope('executions:write');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button unavailable={missingScope} onClick={() => setIsOpen(true)}>
        <PencilLine aria-hidden className="size-3.5" /> With changes …
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <EditDialog run={run} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Cancel({ run }: { readonly run: Execution }) {
  const queries = useQueryClient();
  const missingScope = useMissingScope('executions:write');
  const cancelling = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/executions/{id}/cancel/', {
          params: { path: { id: run.id }, header: newIdempotencyKey() },
        }),
      ),
    onSuccess: () => toast.success('The run is being cancelled'),
    onError: toastProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  });
  return (
    <Button
      look="danger"
      unavailable={missingScope}
      disabled={cancelling.isPending}
      onClick={() => cancelling.mutate()}
    >
      <Square aria-hidden className="size-3.5" /> Cancel
    </Button>
  );
}

/** Runs it again as a new run. A completed one did its work already, and doing it twice is asked about first. */
function Retry({ run }: { readonly run: Execution }) {
  const navigate = useNavigate();
  const missingScope = useMissingScope('executions:write');
  const [isAsking, setIsAsking] = useState(false);
  const isCompleted = run.status === 'completed';
  const retrying = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/executions/{id}/retry/', {
          params: { path: { id: run.id }, header: newIdempotencyKey() },
          body: isCompleted ? { even_if_completed: true } : {},
        }),
      ),
    onSuccess: ({ id }) => {
      toast.success('It runs again, as a new run');
      return navigate({ to: '/runs/$id', params: { id } });
    },
    onError: toastProblem,
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button
        unavailable={missingScope}
        disabled={retrying.isPending}
        onClick={() => (isCompleted ? setIsAsking(true) : retrying.mutate())}
      >
        <RotateCcw aria-hidden className="size-3.5" /> Retry{isCompleted && ' …'}
      </Button>
      {isAsking && (
        <Confirm
          title="Run it again?"
          action="Run it again"
          refusal="Leave it"
          look="primary"
          isPending={retrying.isPending}
          onConfirm={() => retrying.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            This run is completed. Another one does its work a second time, with every effect of its tools.
          </p>
        </Confirm>
      )}
    </>
  );
}
