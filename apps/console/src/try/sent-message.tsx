import { Files } from '../conversation/message-data.js';
import { Said } from '../conversation/entry.js';
import { problemOf } from '../api/problem.js';
import { Button } from '../ui/button.js';
import { LongText } from '../ui/long-text.js';
import { ProblemNotice } from '../ui/notice.js';
import type { Sends, Sent } from './use-sends.js';

interface SentMessageProps {
  readonly sent: Sent;
  readonly sends: Sends;
  /** Takes a refused message back to where it was written. */
  readonly onEdit: (sent: Sent) => void;
}

/** A message that is no turn yet: on its way, or refused. */
export function SentMessage({ sent, sends, onEdit }: SentMessageProps) {
  const isRefused = sent.error !== null;
  const { status } = problemOf(sent.error);
  // The same request would be refused for the same reason.
  const isInvalid = status === 400 || status === 422;
  return (
    <section aria-label="Message on its way" className="max-w-4xl px-4 pt-2 pb-3">
      <p className="mb-1 text-sm text-muted">{isRefused ? 'Not sent' : 'Sending …'}</p>
      <Said by="User">
        <div className="min-w-0">
          <LongText text={sent.request.input ?? ''} fileName="input.txt" />
          <Files files={sent.files} />
        </div>
      </Said>
      {isRefused && (
        <>
          <ProblemNotice error={sent.error} />
          <div className="flex gap-2 sm:ml-20">
            {!isInvalid && <Button onClick={() => sends.sendAgain(sent)}>Send again</Button>}
            <Button onClick={() => onEdit(sent)}>Edit</Button>
            <Button look="quiet" onClick={() => sends.discard(sent)}>
              Discard
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
