import { useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { Paperclip, Send, SlidersHorizontal } from 'lucide-react';
import { clsx } from 'clsx';
import { useMissingScope } from '../app/session.js';
import { Button, IconButton } from '../ui/button.js';
import { TextArea } from '../ui/field.js';
import { AttachmentList } from './attachment-list.js';
import { ComposerOptions, type Extras } from './composer-options.js';
import { readOptions, type Draft } from './request-of.js';
import type { Attachments } from './use-attachments.js';

interface ComposerProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly attachments: Attachments;
  readonly onSend: (draft: Draft) => void;
  /** Why nothing can be sent at the moment; null where it can. */
  readonly hindrance: string | null;
  /** Faults of options and executor that the service found. */
  readonly faults: readonly string[];
  /** Name of the agent that it is sent to. */
  readonly addressee: string;
}

/** The message that is being written, with files and options. Enter sends it, Shift Enter begins a line. */
export function Composer(props: ComposerProps) {
  const { text, onText, attachments, onSend, hindrance, addressee } = props;
  const missingScope = useMissingScope('executions:write');
  const [extras, setExtras] = useState<Extras>({ options: '', executor: '' });
  const [isOpen, setIsOpen] = useState(false);
  /** Faults that the reader has seen and works on, as one text. */
  const [seen, setSeen] = useState('');
  const faults = props.faults.join('\n') === seen ? [] : props.faults;
  const isComplete = text.trim() !== '' && readOptions(extras.options).fault === null;
  const maySend =
    isComplete &&
    hindrance === null &&
    !attachments.isUploading &&
    !attachments.hasFault &&
    missingScope === null;
  const send = (): void => {
    if (!maySend) return;
    onSend({ text, files: attachments.files, ...extras });
    onText('');
    setSeen('');
    attachments.clear();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = ({ clipboardData }: ClipboardEvent): void => attachments.add(clipboardData.files);
  const isSet = extras.options.trim() !== '' || extras.executor.trim() !== '';
  return (
    <form
      aria-label="Message"
      className="flex shrink-0 flex-col gap-2 border-t border-line px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        attachments.add(event.dataTransfer.files);
      }}
    >
      {(isOpen || faults.length > 0) && (
        <ComposerOptions
          extras={extras}
          faults={faults}
          onChange={(next) => {
            setSeen(props.faults.join('\n'));
            setIsOpen(true);
            setExtras(next);
          }}
        />
      )}
      <AttachmentList attachments={attachments.attachments} onRemove={attachments.remove} />
      <TextArea
        aria-label={`Message to ${addressee}`}
        placeholder={`Message to ${addressee}`}
        autoFocus
        rows={2}
        className="field-sizing-content max-h-60 min-h-14 w-full resize-none"
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="flex flex-wrap items-center gap-2">
        <AttachButton unavailable={missingScope} onChoose={attachments.add} />
        <Button
          look="quiet"
          aria-expanded={isOpen || faults.length > 0}
          className={clsx(isSet && 'text-accent hover:text-ink')}
          onClick={() => setIsOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden className="size-3.5" /> Options{isSet && ': set'}
        </Button>
        <span className="ml-auto text-sm text-muted">
          {hindrance ?? <span className="max-md:hidden">Enter sends, Shift Enter begins a line</span>}
        </span>
        <Button
          type="submit"
          look="primary"
          unavailable={missingScope}
          disabled={!maySend && missingScope === null}
        >
          <Send aria-hidden className="size-3.5" /> Send
        </Button>
      </div>
    </form>
  );
}

interface AttachButtonProps {
  readonly unavailable: string | null;
  readonly onChoose: (files: Iterable<File>) => void;
}

function AttachButton({ unavailable, onChoose }: AttachButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ target }) => {
          onChoose(Array.from(target.files ?? []));
          // The same file may be chosen once more.
          target.value = '';
        }}
      />
      <IconButton
        label={unavailable ?? 'Attach files'}
        unavailable={unavailable}
        onClick={() => chooser.current?.click()}
      >
        <Paperclip aria-hidden className="size-4" />
      </IconButton>
    </>
  );
}
