import { CircleX, TriangleAlert } from 'lucide-react';
import type { KnowledgeDocument } from '../../api/types.js';
import { formatBytes, UNKNOWN } from '../../format/amounts.js';
import { shortId } from '../../format/ids.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Fact, Facts } from '../../ui/facts.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { Time } from '../../ui/time.js';
import { progressOf } from '../document-state.js';
import { DocumentStatus } from '../document-status.js';
import { warningText } from '../warning-text.js';

/** State and origin of a document, why it has failed, and what no search finds of it. */
export function DocumentFacts({ document }: { readonly document: KnowledgeDocument }) {
  const { url, file_name: fileName, media_type: mediaType, size_bytes: bytes } = document;
  const part = progressOf(document);
  return (
    <div className="mt-2 flex flex-col gap-2">
      <Facts>
        <Fact name="State">
          <span className="inline-flex items-center gap-2">
            <DocumentStatus document={document} />
            {part !== null && part < 1 && (
              <span className="inline-flex w-24">
                <ProgressBar label="Ingestion" part={part} />
              </span>
            )}
          </span>
        </Fact>
        <Fact name="Id">
          <span className="inline-flex items-center gap-1">
            <span className="font-mono text-sm" title={document.id}>
              {shortId(document.id)}
            </span>
            <CopyButton text={document.id} label="Copy the id" />
          </span>
        </Fact>
        <Fact name="Given as">{document.source}</Fact>
        {url !== null && (
          <Fact name="URL">
            <span className="inline-flex max-w-80 items-center gap-1">
              <span className="truncate font-mono text-sm" title={url}>
                {url}
              </span>
              <CopyButton text={url} label="Copy the URL" />
            </span>
          </Fact>
        )}
        {fileName !== null && (
          <Fact name="File">
            <span className="inline-block max-w-60 truncate align-bottom" title={fileName}>
              {fileName}
            </span>
          </Fact>
        )}
        <Fact name="Kind">
          {document.kind ?? UNKNOWN}
          {mediaType !== null && <span className="text-muted">, declared {mediaType}</span>}
        </Fact>
        <Fact name="Size">{bytes === null ? UNKNOWN : formatBytes(bytes)}</Fact>
        <Fact name="Generation">
          {document.generation}
          <span className="text-muted">, {searchedWords(document)}</span>
        </Fact>
        <Fact name="Given">
          <Time at={document.created_at} />
        </Fact>
        <Fact name="Changed">
          <Time at={document.updated_at} />
        </Fact>
      </Facts>
      <Failure document={document} />
      {document.warnings.length > 0 && (
        <ul aria-label="Warnings" className="text-action">
          {document.warnings.map((warning) => (
            <li key={warning.code} className="flex gap-1.5">
              <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
              <span className="wrap-anywhere">No search finds: {warningText(warning)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function searchedWords({ generation, live_generation: live }: KnowledgeDocument): string {
  if (live === null) return 'not searched yet';
  return live === generation ? 'searched' : `generation ${live} is searched`;
}

function Failure({ document }: { readonly document: KnowledgeDocument }) {
  const { error_code: code, error_text: text, last_error: last } = document;
  if (code !== null) {
    return (
      <p className="flex gap-1.5 text-failed">
        <CircleX aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        <span className="wrap-anywhere">
          <span className="font-semibold">{code}</span> {text}
        </span>
      </p>
    );
  }
  if (last === null) return null;
  return (
    <p className="flex gap-1.5 text-action">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="wrap-anywhere">
        <span className="font-semibold">{last.code}</span> {last.text} Tried {last.tries}{' '}
        {last.tries === 1 ? 'time' : 'times'}, next try <Time at={last.next_try_at} />
      </span>
    </p>
  );
}
