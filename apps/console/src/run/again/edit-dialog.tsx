import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'sonner';
import { useAgentName } from '../../api/agents.js';
import { answerOf, api, newIdempotencyKey } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import type { ExecutionWithRequest } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { Field, TextArea } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/notice.js';
import { VersionSelect } from '../../ui/version-select.js';
import { formOf, requestOf, type RequestForm } from './edited-request.js';

type TextName = 'input' | 'options' | 'executor' | 'metadata';

const TEXTS: readonly { readonly name: TextName; readonly label: string; readonly hint: string }[] = [
  { name: 'input', label: 'Input', hint: 'What the user says to the agent.' },
  {
    name: 'options',
    label: 'Options',
    hint: 'JSON object: model parameters that win over those of the agent.',
  },
  {
    name: 'executor',
    label: 'Executor',
    hint: 'JSON object with a user_id: on whose behalf the agent acts.',
  },
  { name: 'metadata', label: 'Metadata', hint: 'JSON object of texts, returned with the run.' },
];

/** Runs the agent again with a changed request. What was typed stays until the service has taken it. */
export function EditDialog({
  run,
  onClose,
}: {
  readonly run: ExecutionWithRequest;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const agentName = useAgentName();
  const [form, setForm] = useState(() => formOf(run));
  const [typedFaults, setTypedFaults] = useState<Partial<Record<keyof RequestForm, string>>>({});
  // A repeat of the same request must not run twice; a changed one is another request.
  const [idempotency, setIdempotency] = useState(newIdempotencyKey);
  const submitting = useMutation({
    mutationFn: (body: Parameters<typeof submitTo>[1]) => submitTo(run.agent_id, body, idempotency),
    onSuccess: ({ id }) => {
      toast.success('It runs, as a new run');
      return navigate({ to: '/runs/$id', params: { id } });
    },
  });
  const change = (more: Partial<RequestForm>): void => {
    setForm({ ...form, ...more });
    setIdempotency(newIdempotencyKey());
    setTypedFaults({});
    if (submitting.isError) submitting.reset();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const edited = requestOf(form, run.session_uuid);
    if ('faults' in edited) setTypedFaults(edited.faults);
    else submitting.mutate(edited.request);
  };
  const faults = formFaults(submitting.error, [...TEXTS.map(({ name }) => name), 'agent_version']);
  const faultsOf = (name: TextName): readonly string[] => {
    const typed = typedFaults[name];
    return typed === undefined ? faults.at(name) : [typed];
  };
  return (
    <Dialog label="Run it with changes" onClose={onClose} className="w-[min(48rem,calc(100vw-2rem))]">
      <DialogTitle onClose={onClose}>Run it with changes</DialogTitle>
      <form onSubmit={submit} className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4">
        <p className="text-muted">
          A new run of {agentName(run.agent_id)}. This run stays as it is. Tokens, attached files and context
          of the request are not taken along.
        </p>
        {TEXTS.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} faults={faultsOf(name)}>
            {(ids) => (
              <TextArea
                {...ids}
                autoFocus={name === 'input'}
                rows={name === 'input' ? 8 : Math.min(6, form[name].split('\n').length)}
                spellCheck={name === 'input'}
                value={form[name]}
                onChange={({ target }) => change({ [name]: target.value })}
                className={name === 'input' ? '' : 'min-h-8 font-mono text-sm'}
              />
            )}
          </Field>
        ))}
        <Field
          label="Version of the agent"
          {...(run.agent_version !== null && { hint: `This run was of version ${run.agent_version}.` })}
          faults={faults.at('agent_version')}
        >
          {(ids) => (
            <VersionSelect
              {...ids}
              agent={run.agent_id}
              version={form.version}
              className="max-w-md"
              onChange={(version) => change({ version })}
            />
          )}
        </Field>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={form.isSameSession}
            onChange={({ target }) => change({ isSameSession: target.checked })}
            className="size-3.5"
          />
          As the next turn of the same session; otherwise in a new one
        </label>
        {submitting.isError && !faults.isAllShown && <ProblemNotice error={submitting.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={submitting.isPending}>
            {submitting.isPending ? 'Submitting …' : 'Run it'}
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  );
}

function submitTo(
  agentId: number,
  body: Extract<ReturnType<typeof requestOf>, { request: unknown }>['request'],
  header: ReturnType<typeof newIdempotencyKey>,
) {
  return answerOf(api.POST('/api/agents/{id}/execute/', { params: { path: { id: agentId }, header }, body }));
}
