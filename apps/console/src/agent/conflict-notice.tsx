import { TriangleAlert } from 'lucide-react';
import type { AgentVersion } from '../api/types.js';
import { Button } from '../ui/button.js';
import { Time } from '../ui/time.js';
import { changedFields, draftOf } from './draft/agent-draft.js';
import { FIELD_WORDS } from './field-words.js';
import type { AgentEditor } from './use-agent-editor.js';
import { VersionDiff } from './versions/version-diff.js';

/** Another version was saved while this one was edited: what it changed, and how to go on. */
export function ConflictNotice({
  editor,
  theirs,
}: {
  readonly editor: AgentEditor;
  readonly theirs: AgentVersion;
}) {
  const { base, draft } = editor;
  const [mine, others] = [changedFields(draftOf(base), draft), changedFields(draftOf(base), draftOf(theirs))];
  const both = mine.filter((field) => others.includes(field)).map((field) => FIELD_WORDS[field]);
  return (
    <div
      role="alert"
      className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-action-soft px-4 py-3"
    >
      <p className="flex flex-wrap items-center gap-2">
        <TriangleAlert aria-hidden className="size-4 text-action" />
        <span>
          <span className="font-semibold">Version {theirs.version} was saved since you opened it</span> (
          <Time at={theirs.created_at} />
          ); your changes are of version {base.version}.{' '}
          {both.length === 0
            ? 'They are in other fields.'
            : `Both change: ${both.join(', ')}. Yours would replace those of version ${theirs.version}.`}
        </span>
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={editor.rebase}>Put my changes on version {theirs.version}</Button>
        <Button look="danger" onClick={editor.discard}>
          Discard my changes
        </Button>
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer text-muted">What version {theirs.version} changed</summary>
        <div className="mt-2 bg-surface">
          <VersionDiff before={base} after={theirs} />
        </div>
      </details>
    </div>
  );
}
