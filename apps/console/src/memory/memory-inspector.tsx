import { useState, type SubmitEvent } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { toast } from 'sonner';
import { useAgentName } from '../api/agents.js';
import { answerOf, api } from '../api/client.js';
import { formFaults } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import type { Memory } from '../api/types.js';
import type { Versioned } from '../api/versioned.js';
import { useMissingScope } from '../app/session.js';
import { absoluteTime } from '../format/times.js';
import { Confirm } from '../ui/confirm.js';
import { Button } from '../ui/button.js';
import { Field, TextArea } from '../ui/field.js';
import { Inspector } from '../ui/inspector.js';
import { ProblemNotice } from '../ui/notice.js';
import { MemoryOrigin } from './memory-origin.js';
import { memoryQuery } from './memory-queries.js';

/** One memory, with its text to change. */
export function MemoryInspector({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const memory = useQuery(memoryQuery(id));
  return (
    <Inspector label="Memory" title={`Memory ${id}`} onClose={onClose}>
      {memory.isError && memory.data === undefined && (
        <ProblemNotice
          error={memory.error}
          title="The memory could not be read"
          onRetry={() => void memory.refetch()}
        />
      )}
      {memory.data !== undefined && <Opened memory={memory.data} onClose={onClose} />}
    </Inspector>
  );
}

function Opened({ memory, onClose }: { readonly memory: Versioned<Memory>; readonly onClose: () => void }) {
  const { value } = memory;
  const agentName = useAgentName();
  return (
    <>
      <TextForm memory={memory} />
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-muted">
        <dt>Executor</dt>
        <dd className="wrap-anywhere">{value.executor_id}</dd>
        <dt>Origin</dt>
        <dd>
          <MemoryOrigin memory={value} />
        </dd>
        {value.agent_id !== null && (
          <>
            <dt>Agent</dt>
            <dd>{agentName(value.agent_id)}</dd>
          </>
        )}
        {value.execution_id !== null && (
          <>
            <dt>Learnt of run</dt>
            <dd className="truncate">
              <Link
                to="/runs/$id"
                params={{ id: value.execution_id }}
                className="font-mono text-sm hover:underline"
              >
                {value.execution_id}
              </Link>
            </dd>
          </>
        )}
        <dt>Made</dt>
        <dd>{absoluteTime(value.created_at)}</dd>
        <dt>Changed</dt>
        <dd>{absoluteTime(value.updated_at)}</dd>
      </dl>
      <Forget memory={value} onClose={onClose} />
    </>
  );
}

function TextForm({ memory }: { readonly memory: Versioned<Memory> }) {
  const { id, text: known } = memory.value;
  const queries = useQueryClient();
  const missingScope = useMissingScope('memories:write');
  const [text, setText] = useState(known);
  const saving = useMutation({
    mutationFn: () =>
      answerOf(
        api.PATCH('/api/memories/{id}/', {
          params: { path: { id }, header: { 'If-Match': memory.version } },
          body: { text },
        }),
      ),
    onSuccess: (changed) => {
      toast.success('Saved; from now on only people change it');
      setText(changed.text);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['memory', id] });
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  const problem = saving.isError ? problemOf(saving.error) : null;
  const faults = formFaults(problem, ['text'], { MEMORY_EXISTS: 'text' });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (missingScope === null) saving.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
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
            className="min-h-24"
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {problem?.code === 'VERSION_CHANGED' && (
        <p className="text-sm text-action">It reads now: {known}. Save once more to replace that.</p>
      )}
      {problem !== null && !faults.isAllShown && <ProblemNotice error={problem} />}
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          unavailable={missingScope}
          disabled={saving.isPending || text === known || text.trim() === ''}
        >
          Save
        </Button>
        {text !== known && (
          <Button look="quiet" onClick={() => setText(known)}>
            Undo the change
          </Button>
        )}
      </div>
    </form>
  );
}

function Forget({ memory, onClose }: { readonly memory: Memory; readonly onClose: () => void }) {
  const { id, text, executor_id: executor } = memory;
  const queries = useQueryClient();
  const missingScope = useMissingScope('memories:write');
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/memories/{id}/', { params: { path: { id } } })),
    onSuccess: () => {
      toast.success('Forgotten');
      onClose();
      queries.removeQueries({ queryKey: ['memory', id] });
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  return (
    <div>
      <Button look="danger" unavailable={missingScope} onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden className="size-3.5" /> Forget …
      </Button>
      {isAsking && (
        <Confirm
          title={`Forget this of ${executor}?`}
          action="Forget"
          refusal="Leave it"
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <blockquote className="border-l-2 border-line pl-3">{text}</blockquote>
          <p>It is not learnt again in the same words.</p>
        </Confirm>
      )}
    </div>
  );
}
