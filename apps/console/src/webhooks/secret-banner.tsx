import { KeyRound } from 'lucide-react';
import { Button } from '../ui/button.js';
import { copyText } from '../ui/copy-button.js';

/** A secret and the thing that it belongs to, which live only as long as the page shows them. */
export interface ShownSecret {
  readonly of: string;
  readonly secret: string;
}

/** A secret that is shown this once. It stays until a person takes it away, so that no stray click loses it. */
export function SecretBanner({
  shown,
  onTaken,
}: {
  readonly shown: ShownSecret;
  readonly onTaken: () => void;
}) {
  return (
    <section
      aria-label="Secret"
      role="status"
      className="shrink-0 border-b border-line bg-action-soft px-4 py-3"
    >
      <p className="flex flex-wrap items-center gap-x-2">
        <KeyRound aria-hidden className="size-4 text-action" />
        <strong>{shown.of}</strong> It is shown this once: store it where the receiver checks signatures.
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded border border-line bg-raised px-2 py-1 font-mono text-sm break-all">
          {shown.secret}
        </code>
        <Button onClick={() => void copyText(shown.secret, 'Secret copied')}>Copy</Button>
        <Button look="primary" onClick={onTaken}>
          It is stored
        </Button>
      </div>
    </section>
  );
}
