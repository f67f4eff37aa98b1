import { useState, type SubmitEvent } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { formFaults } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import type { Datasource } from '../api/types.js';
import type { Versioned } from '../api/versioned.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogTitle } from '../ui/dialog.js';
import { Field, Input, Select, TextArea } from '../ui/field.js';
import { ProblemNotice } from '../ui/notice.js';
import { llmChoicesQuery } from './knowledge-queries.js';

const NAMES = [
  ...(['name', 'description', 'llm_id', 'embed_model', 'dimensions'] as const),
  ...(['chunk_tokens', 'overlap_tokens'] as const),
];
type Name = (typeof NAMES)[number];
type Texts = Readonly<Record<Name, string>>;

const DEFAULTS: Texts = {
  name: '',
  description: '',
  llm_id: '',
  embed_model: '',
  dimensions: '1024',
  chunk_tokens: '400',
  overlap_tokens: '40',
};

interface DatasourceFormProps {
  /** The datasource to change; null makes a new one. */
  readonly current: Versioned<Datasource> | null;
  readonly onClose: () => void;
  readonly onSaved: (datasource: Datasource) => void;
}

/** Makes a datasource, or changes one. What makes its vectors stays while it has documents. */
export function DatasourceForm({ current, onClose, onSaved }: DatasourceFormProps) {
  const queries = useQueryClient();
  const llms = useQuery(llmChoicesQuery);
  const [texts, setTexts] = useState(() => (current === null ? DEFAULTS : textsOf(current.value)));
  const isFixed = (current?.value.document_count ?? 0) > 0;
  const saving = useMutation({
    mutationFn: () => save(current, texts, isFixed),
    onSuccess: async (datasource) => {
      toast.success(current === null ? `${datasource.name} is there` : 'Saved');
      onClose();
      await queries.invalidateQueries({ queryKey: ['datasources'] });
      await queries.invalidateQueries({ queryKey: ['datasource', datasource.id], exact: true });
      onSaved(datasource);
    },
  });
  const problem = saving.isError ? problemOf(saving.error) : null;
  const faults = formFaults(problem, NAMES, { DATASOURCE_NAME_TAKEN: 'name' });
  const text = (name: Name) => ({
    value: texts[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setTexts((before) => ({ ...before, [name]: target.value })),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const title = current === null ? 'New datasource' : `Change ${current.value.name}`;
  const fixed = isFixed ? { hint: 'Stays while there are documents.' } : {};
  return (
    <Dialog label={title} onClose={onClose}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <form onSubmit={submit} className="flex flex-col gap-4 overflow-y-auto p-4">
        <Field label="Name" faults={faults.at('name')}>
          {(ids) => <Input {...ids} {...text('name')} required maxLength={100} autoFocus />}
        </Field>
        <Field label="Description" hint="Subject of the documents." faults={faults.at('description')}>
          {(ids) => <TextArea {...ids} {...text('description')} maxLength={1000} />}
        </Field>
        <Field label="Model configuration" {...fixed} faults={faults.at('llm_id')}>
          {(ids) => (
            <Select {...ids} {...text('llm_id')} required disabled={isFixed}>
              <option value="">{llms.isError ? 'Could not be read' : 'Choose one'}</option>
              {llms.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Embedding model"
          hint={isFixed ? 'Stays while there are documents.' : 'It makes the vectors.'}
          faults={faults.at('embed_model')}
        >
          {(ids) => (
            <Input
              {...ids}
              {...text('embed_model')}
              required
              disabled={isFixed}
              maxLength={200}
              placeholder="text-embedding-3-small"
            />
          )}
        </Field>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          <Field label="Dimensions" hint="1 to 4,000" faults={faults.at('dimensions')}>
            {(ids) => (
              <Input
                {...ids}
                {...text('dimensions')}
                type="number"
                min={1}
                max={4000}
                required
                disabled={isFixed}
              />
            )}
          </Field>
          <Field label="Chunk tokens" hint="50 to 4,000" faults={faults.at('chunk_tokens')}>
            {(ids) => <Input {...ids} {...text('chunk_tokens')} type="number" min={50} max={4000} required />}
          </Field>
          <Field label="Overlap tokens" hint="Less than a chunk" faults={faults.at('overlap_tokens')}>
            {(ids) => (
              <Input {...ids} {...text('overlap_tokens')} type="number" min={0} max={1000} required />
            )}
          </Field>
        </div>
        {problem !== null && !faults.isAllShown && <ProblemNotice error={problem} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={saving.isPending}>
            {current === null ? 'Make it' : 'Save'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function textsOf(datasource: Datasource): Texts {
  return Object.fromEntries(NAMES.map((name) => [name, String(datasource[name])])) as Record<Name, string>;
}

function save(current: Versioned<Datasource> | null, texts: Texts, isFixed: boolean): Promise<Datasource> {
  const { name, description } = texts;
  const lengths = { chunk_tokens: Number(texts.chunk_tokens), overlap_tokens: Number(texts.overlap_tokens) };
  const vectors = {
    llm_id: Number(texts.llm_id),
    embed_model: texts.embed_model,
    dimensions: Number(texts.dimensions),
  };
  if (current === null) {
    const body = { name, description, ...vectors, ...lengths };
    return answerOf(api.POST('/api/datasources/', { body, params: { header: newIdempotencyKey() } }));
  }
  return answerOf(
    api.PATCH('/api/datasources/{id}/', {
      params: { path: { id: current.value.id }, header: { 'If-Match': current.version } },
      body: { name, description, ...(isFixed ? {} : vectors), ...lengths },
    }),
  );
}
