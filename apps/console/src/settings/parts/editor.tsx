import { useEffect, useRef, type ReactNode, type SubmitEvent } from 'react';
import { useBlocker } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { problemOf } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';
import { useKeys } from '../../ui/keys.js';
import { ProblemNotice } from '../../ui/notice.js';

interface EditorProps {
  readonly title: string;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** Why it cannot be saved by this key. */
  readonly unavailable: string | null;
  readonly error: unknown;
  /** Faults that the form found itself; another object after each try. */
  readonly ownFaults?: object;
  /** Whether the form shows all that the error says at its fields. */
  readonly areFaultsShown: boolean;
  readonly saveLabel: string;
  readonly onSave: () => void;
  readonly onLeave: () => void;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of a form that fills a tab. A refused request leaves everything as it was typed. */
export function Editor(props: EditorProps) {
  const { title, isDirty, isSaving, unavailable, error, saveLabel, onSave, onLeave } = props;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (unavailable === null && !isSaving) onSave();
  };
  useKeys({ Escape: onLeave });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, props.ownFaults]);
  const isChanged = error !== null && problemOf(error).status === 412;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <form ref={form} onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-4 px-4 py-4">
        <header className="flex flex-wrap items-center gap-2">
          <Button look="quiet" className="-ml-2 px-2" onClick={onLeave}>
            <ArrowLeft aria-hidden className="size-4" /> Back
          </Button>
          <h2 className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</h2>
          {props.actions}
        </header>
        {props.children}
        {error !== null && !props.areFaultsShown && (
          <ProblemNotice error={error} title={isChanged ? 'It has been changed since you opened it' : null} />
        )}
        {isChanged && (
          <p className="text-muted">
            What you typed is still here. Copy it, go back, and open it again to see the change.
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" unavailable={unavailable} disabled={isSaving}>
            {isSaving ? 'Saving …' : saveLabel}
          </Button>
          <Button onClick={onLeave}>Cancel</Button>
          {unavailable !== null && <span className="text-muted">{unavailable}.</span>}
        </div>
      </form>
      <AskBeforeLeaving isDirty={isDirty} />
    </div>
  );
}

function AskBeforeLeaving({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog label="Discard the changes?" onClose={blocker.reset} className="w-96">
      <DialogTitle onClose={blocker.reset}>Discard the changes?</DialogTitle>
      <div className="flex flex-col gap-4 p-4">
        <p>They are not saved.</p>
        <div className="flex gap-2">
          <Button look="danger" onClick={blocker.proceed}>
            Discard
          </Button>
          <Button onClick={blocker.reset}>Go on editing</Button>
        </div>
      </div>
    </Dialog>
  );
}
