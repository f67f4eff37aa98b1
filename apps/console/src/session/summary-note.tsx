import { useQuery } from '@tanstack/react-query';
import { sessionSummaryQuery } from '../api/sessions.js';
import { formatTokens, UNKNOWN } from '../format/amounts.js';
import { LongText } from '../ui/long-text.js';
import { Time } from '../ui/time.js';

/** Summary that the model reads in place of the older turns; nothing where every turn is shown to it word by word. */
export function SummaryNote({ uuid }: { readonly uuid: string }) {
  const { data: summary, isError } = useQuery(sessionSummaryQuery(uuid));
  if (isError)
    return <p className="border-b border-line px-4 py-2 text-failed">The summary could not be read.</p>;
  if (summary === undefined || (summary.content === null && !summary.is_pending)) return null;
  const { content, through_turn, tokens, model, version, written_at, is_pending } = summary;
  if (content === null) {
    return (
      <p className="border-b border-line px-4 py-2 text-muted">
        A summary of the older turns is being written.
      </p>
    );
  }
  const size = formatTokens(tokens);
  return (
    <details className="border-b border-line px-4 py-2">
      <summary className="cursor-pointer">
        For the model, the turns up to {through_turn ?? UNKNOWN} are summarised
        <span className="text-muted">
          {' '}
          (version {version}, {size === UNKNOWN ? 'tokens unknown' : `${size} tokens`}, by {model ?? UNKNOWN}
          {written_at !== null && (
            <>
              , <Time at={written_at} />
            </>
          )}
          ){is_pending && ', the next one is being written'}
        </span>
      </summary>
      <div className="mt-2 border-l border-line pl-3">
        <LongText text={content} fileName="summary.txt" />
      </div>
    </details>
  );
}
