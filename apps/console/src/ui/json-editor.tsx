import { lazy, Suspense } from 'react';

const Body = lazy(() => import('./json-editor-body.js'));

export interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Why the text cannot be used; null where it can. */
  readonly fault: string | null;
  readonly onChange: (text: string) => void;
}

/** Editor of a JSON text, with line numbers, folding and colours. It is loaded when the first one is shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense
      fallback={
        <p role="status" className="min-h-48 rounded-md border border-line p-2 text-muted">
          Loading the editor …
        </p>
      }
    >
      <Body {...props} />
    </Suspense>
  );
}
