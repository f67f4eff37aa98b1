import { lazy, Suspense } from 'react';
import type { JsonEditorProps } from './json-editor-props.js';

const Body = lazy(() => import('./json-editor-body.js'));

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
