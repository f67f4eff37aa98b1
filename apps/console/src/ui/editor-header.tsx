import type { ReactNode } from 'react';
import { Button } from './button.js';

interface EditorHeaderProps {
  /** Link to the list that the thing is in. */
  readonly list: ReactNode;
  readonly name: string;
  /** State and version, beside the name. */
  readonly facts: ReactNode;
  /** Buttons for the thing as a whole, before the one that saves. */
  readonly actions: ReactNode;
  readonly editor: {
    readonly isDirty: boolean;
    readonly isSaving: boolean;
    readonly discard: () => void;
    readonly save: () => void;
  };
  /** Why it cannot be saved; null where it can. */
  readonly unavailable: string | null;
}

/** Header of a screen that edits a thing: its name, what is known of it, and whether there is something to save. */
export function EditorHeader({ list, name, facts, actions, editor, unavailable }: EditorHeaderProps) {
  const { isDirty, isSaving } = editor;
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
      <h1 className="flex min-w-0 items-center gap-1.5 text-lg font-semibold">
        {list}
        <span aria-hidden className="text-muted">
          /
        </span>
        <bdi className="truncate" title={name}>
          {name}
        </bdi>
      </h1>
      <span className="flex flex-wrap items-center gap-x-3 text-muted">{facts}</span>
      <div className="flex-1" />
      <div className="flex flex-wrap items-center gap-2">
        {isDirty && (
          <>
            <span role="status" className="text-sm text-action">
              Unsaved changes
            </span>
            <Button look="quiet" onClick={editor.discard}>
              Discard
            </Button>
          </>
        )}
        {actions}
        <Button
          look="primary"
          title="Save (Ctrl S)"
          unavailable={unavailable}
          disabled={isSaving}
          onClick={editor.save}
        >
          {isSaving ? 'Saving …' : 'Save'}
        </Button>
      </div>
    </header>
  );
}
