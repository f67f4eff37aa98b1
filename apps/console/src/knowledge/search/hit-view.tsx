import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { Hit } from '../../api/types.js';
import { firstPart } from '../../ui/first-part.js';
import { warningText } from '../warning-text.js';
import { foundWords, markWords } from './mark-words.js';

const MAX_CHARACTERS = 4_000;

/** A passage that was found: how near its meaning is, and which words of the question it has. */
export function HitView({ hit, words }: { readonly hit: Hit; readonly words: readonly string[] }) {
  const text = firstPart(hit.text, MAX_CHARACTERS);
  const found = foundWords([...hit.headings, hit.text].join('\n'), words);
  const link = { params: { id: hit.document_id }, search: { chunk: hit.chunk_id } };
  return (
    <li className="border-b border-line px-4 py-3">
      <article className="max-w-4xl">
        <header className="flex items-baseline gap-x-3">
          <span className="w-5 shrink-0 text-right text-muted">{hit.rank}</span>
          <p className="min-w-0 wrap-anywhere">
            <Link to="/knowledge/documents/$id" {...link} className="mr-3 font-medium hover:underline">
              {hit.title}
            </Link>
            {hit.page !== null && <span className="mr-3 text-muted">page {hit.page}</span>}
            <span className="text-muted">{hit.headings.join(' › ')}</span>
          </p>
        </header>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 pl-8 text-sm text-muted">
          <Score score={hit.score} />
          <span>{found.length === 0 ? 'No word of the question' : `Words: ${found.join(', ')}`}</span>
        </p>
        <p className="mt-1 pl-8 wrap-anywhere whitespace-pre-wrap">
          {markWords(text, words).map((part, index) =>
            // The parts of a text never change their order.
            part.isMarked ? (
              <mark key={index} className="rounded-xs bg-accent-soft px-px text-ink">
                {part.text}
              </mark>
            ) : (
              part.text
            ),
          )}
          {text.length < hit.text.length && ' …'}
        </p>
        {hit.warnings.map((warning) => (
          <p key={warning.code} className="mt-1 flex gap-1.5 pl-8 text-sm text-action">
            <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            <span>The document has more that no search finds: {warningText(warning)}</span>
          </p>
        ))}
      </article>
    </li>
  );
}

function Score({ score }: { readonly score: number }) {
  return (
    <span className="inline-flex items-center gap-1.5" title="Cosine of the vectors of question and passage">
      Meaning {score.toFixed(4)}
      <span aria-hidden className="block h-1 w-16 overflow-hidden rounded-full bg-line">
        <span
          className="block h-full bg-accent"
          style={{ width: `${Math.round(Math.max(0, Math.min(1, score)) * 100)}%` }}
        />
      </span>
    </span>
  );
}
