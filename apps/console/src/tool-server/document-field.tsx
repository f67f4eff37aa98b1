import { useState } from 'react';
import { toast } from 'sonner';
import { faultsAt } from '../api/form-faults.js';
import { formatBytes } from '../format/amounts.js';
import { Button } from '../ui/button.js';
import { downloadText } from '../ui/download.js';
import { Field, TextArea } from '../ui/field.js';
import type { ServerFormProps } from './server-form-props.js';

const MAX_BYTES = 16_777_216;
/** A longer text makes a text area slow: it is replaced by a file, or by another text. */
const MAX_EDITABLE = 200_000;

/** Description of an HTTP service: typed, pasted, or from a file. */
export function DocumentField({ draft, faults, onChange }: ServerFormProps) {
  const { document } = draft;
  const text = typeof document === 'string' ? document : JSON.stringify(document, null, 2);
  const isEditable = typeof document === 'string' && text.length <= MAX_EDITABLE;
  const [isReading, setIsReading] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) {
      toast.error(`${file.name} has ${formatBytes(file.size)}; 16 MiB are allowed.`);
      return;
    }
    setIsReading(true);
    try {
      onChange({ document: await file.text() });
    } catch {
      toast.error(`${file.name} could not be read.`);
    } finally {
      setIsReading(false);
    }
  };
  return (
    <Field
      label="Description"
      hint="OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML, at most 16 MiB."
      faults={faultsAt(faults, 'config', 'document')}
    >
      {(ids) => (
        <>
          {isEditable ? (
            <TextArea
              {...ids}
              value={text}
              rows={8}
              spellCheck={false}
              placeholder="openapi: 3.1.0 …"
              className="w-full font-mono text-sm"
              onChange={({ target }) => onChange({ document: target.value })}
            />
          ) : (
            <output {...ids} className="flex min-h-8 flex-wrap items-center gap-2 text-muted">
              {typeof document === 'string' ? 'One text' : 'Several files'} of {formatBytes(text.length)}.
              <Button
                className="h-7 px-2"
                onClick={() => downloadText(text, `${draft.name}-description.json`)}
              >
                Download
              </Button>
              <Button className="h-7 px-2" onClick={() => onChange({ document: '' })}>
                Replace
              </Button>
            </output>
          )}
          <label className="flex flex-wrap items-center gap-2 text-sm text-muted">
            {isReading ? 'Reading …' : 'From a file'}
            <input
              type="file"
              accept=".json,.yaml,.yml,application/json,application/yaml"
              className="text-sm"
              onChange={({ target }) => void take(target.files?.[0])}
            />
          </label>
        </>
      )}
    </Field>
  );
}
