import { useState, type ReactNode } from 'react';
import { ChevronDown, ChevronRight, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { clsx } from 'clsx';
import { briefJson } from '../format/brief-json.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { Markdown } from '../ui/markdown.js';
import type { NoteEntry, TextEntry, ToolEntry } from './fold-events.js';

type Shown =
  TextEntry | ToolEntry | NoteEntry | { readonly kind: 'input'; readonly scope: ''; readonly text: string };

/** One entry of the conversation. Text that still grows is shown as it is, and as Markdown when it is complete. */
export function Entry({ entry, isLive }: { readonly entry: Shown; readonly isLive: boolean }) {
  switch (entry.kind) {
    case 'input':
      return (
        <Said by="User">
          <SaidText text={entry.text} fileName="input.txt" />
        </Said>
      );
    case 'text':
      return (
        <Said by="Agent" scope={entry.scope}>
          {isLive ? <SaidText text={entry.text} fileName="answer.txt" /> : <AgentText text={entry.text} />}
        </Said>
      );
    case 'thinking':
      return (
        <details className="ml-20 text-muted">
          <summary className="cursor-pointer">Thought{entry.scope !== '' && ` in ${entry.scope}`}</summary>
          <LongText text={entry.text} fileName="thought.txt" />
        </details>
      );
    case 'tool':
      return <ToolCall entry={entry} />;
    case 'note':
      return <Note entry={entry} />;
  }
}

/** Words of a message, each paragraph in the direction of its own script. */
export function SaidText({ text, fileName }: { readonly text: string; readonly fileName: string }) {
  return <LongText text={text} fileName={fileName} className="font-sans [unicode-bidi:plaintext]" />;
}

/** Agents of pipelines answer in JSON, which reads better as such. */
export function AgentText({ text }: { readonly text: string }) {
  if (/^\s*\{[^]*\}\s*$/.test(text)) return <JsonView label="JSON" value={text} fileName="answer.json" />;
  return <Markdown text={text} fileName="answer.md" />;
}

/** A message beside the name of its author. */
export function Said({ by, scope = '', children }: { by: string; scope?: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-1 sm:grid-cols-[4rem_minmax(0,1fr)]">
      <p className="font-semibold">
        {by}
        {scope !== '' && <span className="block font-mono text-xs font-normal text-muted">{scope}</span>}
      </p>
      {children}
    </div>
  );
}

function ToolCall({ entry }: { readonly entry: ToolEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const { name, input, result, progress, scope } = entry;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="sm:ml-20">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full min-w-0 items-center gap-2 rounded-md border border-line px-2 py-1 text-left hover:bg-hover"
      >
        <Chevron aria-hidden className="size-3.5 shrink-0 text-muted" />
        <ResultIcon result={result} />
        <span className="shrink-0 font-mono text-sm">{name}</span>
        {scope !== '' && <span className="shrink-0 font-mono text-xs text-muted">{scope}</span>}
        <span className="truncate text-sm text-muted">
          {result === null ? (progress ?? 'runs or waits …') : briefJson(input)}
        </span>
      </button>
      {isOpen && (
        <div className="grid gap-4 border-l border-line py-2 pl-4 lg:grid-cols-2">
          <JsonView label="Input" value={input} fileName={`${name}-input.json`} />
          <JsonView label="Output" value={result?.text} fileName={`${name}-output.json`} />
        </div>
      )}
    </div>
  );
}

function ResultIcon({ result }: { readonly result: ToolEntry['result'] }) {
  if (result === null) {
    return <LoaderCircle aria-label="Not done" className="size-3.5 shrink-0 text-running" />;
  }
  return result.isError ? (
    <CircleX aria-label="Failed" className="size-3.5 shrink-0 text-failed" />
  ) : (
    <CircleCheck aria-label="Done" className="size-3.5 shrink-0 text-done" />
  );
}

const TONES = { plain: 'text-muted', action: 'text-action', failed: 'text-failed' };

function Note({ entry: { tone, text, scope } }: { readonly entry: NoteEntry }) {
  return (
    <p className={clsx('text-sm wrap-anywhere sm:ml-20', TONES[tone])}>
      {scope !== '' && <span className="mr-2 font-mono text-xs">{scope}</span>}
      {text.slice(0, 2000)}
    </p>
  );
}
