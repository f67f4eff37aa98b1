import { useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { answerOf, api, newIdempotencyKey } from '../api/client.js';
import { formFaults } from '../api/form-faults.js';
import { problemOf } from '../api/problem.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogTitle } from '../ui/dialog.js';
import { Field, Input, Select, TextArea } from '../ui/field.js';
import { ProblemNotice } from '../ui/notice.js';

const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/html', 'text/csv'] as const;
type TextType = (typeof TEXT_TYPES)[number];

/** Gives a document as a text, or as a URL that a worker fetches. */
export function NewDocumentForm(props: { readonly datasourceId: number; readonly onClose: () => void }) {
  const { datasourceId, onClose } = props;
  const queries = useQueryClient();
  const [source, setSource] = useState<'text' | 'url'>('text');
  const [title, setTitle] = useState('');
  const [url, setUrl] = useState('');
  const [text, setText] = useState('');
  const [mediaType, setMediaType] = useState<TextType>('text/plain');
  const giving = useMutation({
    mutationFn: () => {
      const content = source === 'url' ? { url: url.trim() } : { text, media_type: mediaType };
      const named = title.trim() === '' ? {} : { title: title.trim() };
      return answerOf(
        api.POST('/api/documents/', {
          params: { header: newIdempotencyKey() },
          body: { datasource_id: datasourceId, ...named, ...content },
        }),
      );
    },
    onSuccess: (document) => {
      toast.success(`${document.title} waits for a worker`);
      onClose();
      return queries.invalidateQueries({ queryKey: ['datasource', datasourceId] });
    },
  });
  const problem = giving.isError ? problemOf(giving.error) : null;
  const faults = formFaults(problem, ['title', 'url', 'text']);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    giving.mutate();
  };
  return (
    <Dialog label="New document" onClose={onClose}>
      <DialogTitle onClose={onClose}>New document</DialogTitle>
      <form onSubmit={submit} className="flex flex-col gap-4 overflow-y-auto p-4">
        <fieldset className="flex gap-4">
          <legend className="sr-only">Given as</legend>
          {(['text', 'url'] as const).map((each) => (
            <label key={each} className="flex items-center gap-1.5">
              <input type="radio" name="source" checked={source === each} onChange={() => setSource(each)} />
              {each === 'text' ? 'Text' : 'URL'}
            </label>
          ))}
        </fieldset>
        <Field
          label="Title"
          hint={source === 'url' ? 'Shown in citations; the URL without it.' : 'Shown in citations.'}
          faults={faults.at('title')}
        >
          {(ids) => (
            <Input
              {...ids}
              value={title}
              maxLength={500}
              autoFocus
              onChange={({ target }) => setTitle(target.value)}
            />
          )}
        </Field>
        {source === 'url' ? (
          <Field
            label="URL"
            hint="A public address, http or https. A worker fetches it."
            faults={faults.at('url')}
          >
            {(ids) => (
              <Input
                {...ids}
                type="url"
                value={url}
                required
                maxLength={2048}
                placeholder="https://"
                onChange={({ target }) => setUrl(target.value)}
              />
            )}
          </Field>
        ) : (
          <>
            <Field
              label="Text"
              hint="1 MiB at most; upload a file where it is longer."
              faults={faults.at('text')}
            >
              {(ids) => (
                <TextArea
                  {...ids}
                  value={text}
                  required
                  className="min-h-40"
                  onChange={({ target }) => setText(target.value)}
                />
              )}
            </Field>
            <Field label="Kind of text">
              {(ids) => (
                <Select
                  {...ids}
                  value={mediaType}
                  onChange={({ target }) =>
                    setMediaType(TEXT_TYPES.find((each) => each === target.value) ?? 'text/plain')
                  }
                >
                  {TEXT_TYPES.map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </Select>
              )}
            </Field>
          </>
        )}
        {problem !== null && !faults.isAllShown && <ProblemNotice error={problem} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={giving.isPending}>
            Give it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
