import { lazy, Suspense } from 'react';
import { TextArea } from './field.js';

const Body = lazy(() => import('./json-editor-body.js'));

export interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Why the text cannot be used; null where it can. */
  readonly fault: string | null;
  readonly onChange: (text: string) => void;
}

/** Editor of a JSON text, with line numbers, folding and colours; a plain text area until it is loaded. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<PlainEditor {...props} />}>
      <Body {...props} />
    </Suspense>
  );
}

function PlainEditor({ label, text, onChange }: JsonEditorProps) {
  return (
    <TextArea
      aria-label={label}
      value={text}
      rows={16}
      onChange={({ target }) => onChange(target.value)}
      className="w-full font-mono text-sm"
    />
  );
}
