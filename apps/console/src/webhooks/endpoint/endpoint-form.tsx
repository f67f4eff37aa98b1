import { useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.js';
import { formFaults } from '../../api/form-faults.js';
import { problemOf } from '../../api/problem.js';
import type { WebhookEndpoint } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { Faults } from '../../ui/faults.js';
import { Field, Input } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/notice.js';
import { EVENT_TYPES } from '../webhooks-search.js';

interface EndpointFormProps {
  /** The endpoint to change; null makes a new one. */
  readonly current: WebhookEndpoint | null;
  readonly onClose: () => void;
  /** Called with the secret of a new endpoint, which no other answer has. */
  readonly onSaved: (endpoint: WebhookEndpoint, secret: string | null) => void;
}

/** Makes an endpoint, or changes its URL and events. */
export function EndpointForm({ current, onClose, onSaved }: EndpointFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(current?.name ?? '');
  const [url, setUrl] = useState(current?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(current?.events ?? EVENT_TYPES);
  const chosen = EVENT_TYPES.filter((type) => events.includes(type));
  const saving = useMutation({
    // The answer may hold a secret.
    gcTime: 0,
    mutationFn: () => save(current, { name: name.trim() || null, url: url.trim(), events: chosen }),
    onSuccess: ({ endpoint, secret }) => {
      onClose();
      onSaved(endpoint, secret);
      void queries.invalidateQueries({ queryKey: ['webhook-endpoint', endpoint.id] });
      return queries.invalidateQueries({ queryKey: ['webhook-endpoints'] });
    },
  });
  const problem = saving.isError ? problemOf(saving.error) : null;
  const faults = formFaults(problem, ['name', 'url', 'events']);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const toggle = (type: string): void =>
    setEvents((before) =>
      before.includes(type) ? before.filter((each) => each !== type) : [...before, type],
    );
  const title = current === null ? 'New endpoint' : 'Change the endpoint';
  return (
    <Dialog label={title} onClose={onClose}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <form onSubmit={submit} className="flex flex-col gap-4 overflow-y-auto p-4">
        <Field
          label="URL"
          hint={
            current === null
              ? 'A public address. Requests are signed by Standard Webhooks.'
              : 'Deliveries that are pending go to the new address.'
          }
          faults={faults.at('url')}
        >
          {(ids) => (
            <Input
              {...ids}
              type="url"
              value={url}
              required
              autoFocus
              maxLength={2048}
              placeholder="https://"
              className="font-mono text-sm"
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
        <Field
          label="Name"
          hint="Optional, unique; files of resources find the endpoint by it."
          faults={faults.at('name')}
        >
          {(ids) => (
            <Input {...ids} value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">Events</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className="flex items-center gap-2">
              <input type="checkbox" checked={events.includes(type)} onChange={() => toggle(type)} />
              {type}
            </label>
          ))}
          {chosen.length === 0 && <p className="text-sm text-failed">At least one event is needed.</p>}
          <div role="alert">
            <Faults faults={faults.at('events')} />
          </div>
        </fieldset>
        {problem !== null && !faults.isAllShown && <ProblemNotice error={problem} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={saving.isPending || chosen.length === 0}>
            {current === null ? 'Make it' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

async function save(
  current: WebhookEndpoint | null,
  body: Pick<WebhookEndpoint, 'name' | 'url' | 'events'>,
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string | null }> {
  if (current === null) {
    const { secret, ...endpoint } = await answerOf(api.POST('/api/webhook-endpoints/', { body }));
    return { endpoint, secret };
  }
  const params = { path: { id: current.id } };
  return {
    endpoint: await answerOf(api.PATCH('/api/webhook-endpoints/{id}/', { params, body })),
    secret: null,
  };
}
