import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { Button } from './button.js';
import type { JsonEditorProps } from './json-editor-props.js';
import { faultLineOf } from './json-fault-line.js';

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--color-ink)' },
  { tag: tags.string, color: 'var(--color-accent)' },
  { tag: tags.number, color: 'var(--color-running)' },
  { tag: [tags.bool, tags.null], color: 'var(--color-partial)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--color-muted)' },
]);

const LOOK = EditorView.theme({
  '&': { backgroundColor: 'var(--color-raised)', color: 'var(--color-ink)', fontSize: '0.75rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.25rem',
    maxHeight: '32rem',
    minHeight: '12rem',
  },
  '.cm-content': { caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-sunken)',
    color: 'var(--color-muted)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--color-hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'light-dark(#b9e4de, #1b544e)',
  },
  '.cm-panels': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-ink)' },
});

/** CodeMirror in a shadow root, where its styles are adopted sheets: a style element would break the page's policy. */
export default function JsonEditorBody({ label, text, fault, onChange }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<EditorView | null>(null);
  // Texts on their way to the page: one that comes back is older than the one being typed, and no change from outside.
  const sent = useRef<string[]>([]);
  const change = useEffectEvent((next: string) => {
    sent.current.push(next);
    onChange(next);
  });
  const begin = useEffectEvent(() => ({ text, label }));
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = openEditor(root, begin(), (next) => change(next));
    setEditor(view);
    return () => view.destroy();
  }, []);
  useEffect(() => {
    if (editor === null) return;
    const answered = sent.current.indexOf(text);
    if (answered >= 0) {
      sent.current.splice(0, answered + 1);
      return;
    }
    if (editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    sent.current = [];
  }, [editor, text]);
  const line = fault === null ? null : faultLineOf(text);
  return (
    <div>
      <div
        ref={host}
        className="overflow-hidden rounded-md border border-edge/60 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
      />
      {fault !== null && (
        <p role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-failed wrap-anywhere">
          {line !== null && (
            <Button className="h-6 px-2" onClick={() => showLine(editor, line)}>
              Line {line}
            </Button>
          )}
          {fault}
        </p>
      )}
    </div>
  );
}

function openEditor(
  root: ShadowRoot,
  { text, label }: { readonly text: string; readonly label: string },
  onChange: (text: string) => void,
): EditorView {
  return new EditorView({
    doc: text,
    root,
    parent: root,
    extensions: [
      syntaxHighlighting(COLOURS),
      LOOK,
      basicSetup,
      json(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  });
}

function showLine(editor: EditorView | null, line: number): void {
  if (editor === null) return;
  const { from } = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
  editor.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  editor.focus();
}
