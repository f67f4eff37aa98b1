import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api } from '../api/client.js';
import { Confirm } from '../ui/confirm.js';

interface ForgetExecutorProps {
  readonly executor: string;
  readonly onClose: () => void;
  readonly onForgotten: () => void;
}

/** Asks, and then forgets everything of an executor. */
export function ForgetExecutor({ executor, onClose, onForgotten }: ForgetExecutorProps) {
  const queries = useQueryClient();
  const forgetting = useMutation({
    mutationFn: () =>
      answerOf(api.DELETE('/api/memories/', { params: { query: { executor_id: executor } } })),
    onSuccess: () => {
      toast.success(`Nothing is remembered of ${executor}`);
      onClose();
      onForgotten();
      queries.removeQueries({ queryKey: ['memory'] });
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  return (
    <Confirm
      title={`Forget everything of ${executor}?`}
      action="Forget everything"
      refusal="Leave it"
      isPending={forgetting.isPending}
      error={forgetting.error}
      onConfirm={() => forgetting.mutate()}
      onClose={onClose}
    >
      <p>
        Every memory of this executor is deleted, of all agents. Nothing is learnt of runs that were accepted
        before, also of those that still run.
      </p>
      <p className="text-muted">Sessions keep their messages until they are deleted.</p>
    </Confirm>
  );
}
