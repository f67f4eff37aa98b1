import { lazy, Suspense } from 'react';
import { LongText } from './long-text.js';

const MarkdownBody = lazy(() => import('./markdown-body.js'));

/** Longer texts are shown as they are: to lay them out would hold up the page. */
const MAX_CHARACTERS = 50_000;

/** Text of a model or a document as Markdown without anything that could act or load: no HTML, no images, no scripts. */
export function Markdown({ text, fileName }: { readonly text: string; readonly fileName: string }) {
  const plain = <LongText text={text} fileName={fileName} />;
  if (text.length > MAX_CHARACTERS) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownBody text={text} />
    </Suspense>
  );
}
