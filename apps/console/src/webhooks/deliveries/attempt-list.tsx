import { ChevronRight, CircleCheck, CircleX } from 'lucide-react';
import type { WebhookDeliveryWithAttempts } from '../../api/types.js';
import { formatDuration } from '../../format/durations.js';
import { absoluteTime, clockTime } from '../../format/times.js';
import { visibleText } from '../../format/visible-text.js';
import { LongText } from '../../ui/long-text.js';

type Attempt = WebhookDeliveryWithAttempts['attempts'][number];

/** Every attempt at a delivery: how it ended, and on demand what was sent and answered. */
export function AttemptList({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) {
  const { id, attempts, attempt_count: count } = delivery;
  return (
    <section aria-label="Attempts">
      <h3 className="text-sm text-muted">
        Attempts{count > attempts.length && `, ${count - attempts.length} without a record`}
      </h3>
      {attempts.length === 0 && <p className="text-muted">none</p>}
      <ol>
        {attempts.map((attempt) => (
          <li key={attempt.number} className="border-b border-line last:border-b-0">
            <details className="group">
              <summary className="flex cursor-pointer items-start gap-2 py-1 hover:bg-hover">
                <ChevronRight
                  aria-hidden
                  className="mt-0.5 size-3.5 shrink-0 text-muted group-open:rotate-90"
                />
                <Ending attempt={attempt} />
              </summary>
              <div className="flex flex-col gap-2 pb-2 pl-5">
                <Headers headers={attempt.request_headers} />
                <Answer attempt={attempt} fileName={`${id}-answer-${attempt.number}.txt`} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Ending({ attempt }: { readonly attempt: Attempt }) {
  const { number, status_code: status, error, duration_ms: ms, attempted_at: at } = attempt;
  const isDone = status !== null && status >= 200 && status < 300;
  return (
    <>
      {isDone ? (
        <CircleCheck aria-label="Accepted" className="mt-0.5 size-3.5 shrink-0 text-done" />
      ) : (
        <CircleX aria-label="Failed" className="mt-0.5 size-3.5 shrink-0 text-failed" />
      )}
      <span className="w-5 shrink-0 text-right text-muted">{number}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {status === null ? 'No answer' : `HTTP ${status}`}
        {error !== null && <span className="text-failed">: {visibleText(error.slice(0, 2000))}</span>}
      </span>
      <span className="shrink-0 text-muted">{formatDuration(ms)}</span>
      <time dateTime={at} title={absoluteTime(at)} className="shrink-0 text-muted">
        {clockTime(at)}
      </time>
    </>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <section aria-label="Headers of the request">
      <h4 className="text-sm text-muted">Headers of the request, beside its signature</h4>
      <dl className="font-mono text-sm wrap-anywhere">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt className="inline text-muted">{visibleText(name)}: </dt>
            <dd className="inline">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Foreign text, which is shown as it is. */
function Answer({ attempt, fileName }: { readonly attempt: Attempt; readonly fileName: string }) {
  const { answer } = attempt;
  if (answer === null) return <p className="text-sm text-muted">{noAnswerWords(attempt)}</p>;
  const { content_type: type, body, truncated } = answer;
  return (
    <section aria-label="Answer">
      <h4 className="text-sm text-muted wrap-anywhere">
        Answer{type !== null && `, ${visibleText(type)}`}
        {truncated && ', its beginning'}
      </h4>
      {body === null ? (
        <p className="text-sm text-muted">Bytes that are no text</p>
      ) : (
        <LongText text={body} fileName={fileName} className="font-mono text-sm" />
      )}
    </section>
  );
}

const noAnswerWords = ({ status_code: status }: Attempt): string =>
  status === null ? 'Nothing was answered' : 'The answer had no body, or was not kept';
