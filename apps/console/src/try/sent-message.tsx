import { Files } from '../conversation/message-data.js';
import { Said } from '../conversation/entry.js';
import { Button } from '../ui/button.js';
import { LongText } from '../ui/long-text.js';
import { ProblemNotice } from '../ui/notice.js';
import type { Sends, Sent } from './use-sends.js';

/** A message that is no turn yet: on its way, or refused. */
export function SentMessage({ sent, sends }: { readonly sent: Sent; readonly sends: Sends }) {
  const isRefused = sent.error !== null;
  return (
    <section aria-label="Message on its way" className="px-4 pt-2 pb-3">
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
            <Button onClick={() => sends.sendAgain(sent)}>Send again</Button>
            <Button look="quiet" onClick={() => sends.discard(sent)}>
              Discard
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
