import { lazy, Suspense, useMemo } from 'react';
import { isTreeDepth } from '../format/visible-json.js';
import { CopyButton } from './copy-button.js';
import { LongText } from './long-text.js';

const JsonTree = lazy(() => import('./json-tree.js'));

/** A tree of more text than that would take seconds to build. */
const MAX_TREE_CHARACTERS = 60_000;

/** A JSON value as a tree, or as text where it is long; a text that holds JSON counts as that. */
export function JsonView({ label, value, fileName }: { label: string; value: unknown; fileName: string }) {
  const parsed = useMemo(() => parsedJson(value), [value]);
  const text = useMemo(() => textOf(parsed), [parsed]);
  const isTree =
    typeof parsed === 'object' &&
    parsed !== null &&
    text.length <= MAX_TREE_CHARACTERS &&
    isTreeDepth(parsed);
  return (
    <section aria-label={label} className="min-w-0">
      <header className="flex h-7 items-center gap-1 text-sm text-muted">
        <h3>{label}</h3>
        {text !== '' && <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />}
      </header>
      {text === '' ? (
        <p className="text-muted">none</p>
      ) : isTree ? (
        <Suspense fallback={<LongText text={text} fileName={fileName} className="font-mono text-sm" />}>
          <JsonTree value={parsed} />
        </Suspense>
      ) : (
        <LongText text={text} fileName={fileName} className="font-mono text-sm" />
      )}
    </section>
  );
}

function parsedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value) || value.length > MAX_TREE_CHARACTERS)
    return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isTreeDepth(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  // Deep values would be mostly indentation.
  return typeof value === 'string' ? value : JSON.stringify(value, null, isTreeDepth(value) ? 2 : 0);
}
