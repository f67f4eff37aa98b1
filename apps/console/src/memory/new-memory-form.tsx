import { useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { formFaults } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import type { Memory } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogTitle } from '../ui/dialog.js';
import { Field, Input, TextArea } from '../ui/field.js';
import { ProblemNotice } from '../ui/notice.js';

interface NewMemoryFormProps {
  /** Id of the executor to begin with. */
  readonly executor: string;
  readonly onClose: () => void;
  readonly onMade: (memory: Memory) => void;
}

/** Writes a memory of an executor. */
export function NewMemoryForm({ executor: given, onClose, onMade }: NewMemoryFormProps) {
  const queries = useQueryClient();
  const [executor, setExecutor] = useState(given);
  const [text, setText] = useState('');
  const writing = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/api/memories/', {
          params: { header: newIdempotencyKey() },
          body: { executor_id: executor, text },
        }),
      ),
    onSuccess: (memory) => {
      toast.success(`Remembered of ${memory.executor_id}`);
      onClose();
      onMade(memory);
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  const problem = writing.isError ? problemOf(writing.error) : null;
  const faults = formFaults(problem, ['executor_id', 'text'], { MEMORY_EXISTS: 'text' });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    writing.mutate();
  };
  return (
    <Dialog label="Write a memory" onClose={onClose}>
      <DialogTitle onClose={onClose}>Write a memory</DialogTitle>
      <form onSubmit={submit} className="flex flex-col gap-4 overflow-y-auto p-4">
        <Field
          label="Executor"
          hint="As executor.user_id of the requests names the person."
          faults={faults.at('executor_id')}
        >
          {(ids) => (
            <Input
              {...ids}
              value={executor}
              required
              maxLength={200}
              autoFocus={given === ''}
              onChange={({ target }) => setExecutor(target.value)}
            />
          )}
        </Field>
        <Field
          label="Text"
          hint="One sentence, as agents read it; 500 characters at most."
          faults={faults.at('text')}
        >
          {(ids) => (
            <TextArea
              {...ids}
              value={text}
              required
              maxLength={500}
              autoFocus={given !== ''}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {problem !== null && !faults.isAllShown && <ProblemNotice error={problem} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={writing.isPending}>
            Write it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
