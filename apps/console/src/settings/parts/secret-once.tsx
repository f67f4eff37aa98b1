import { useState, type ReactNode } from 'react';
import { Copy } from 'lucide-react';
import { Button } from '../../ui/button.js';
import { copyInDialog } from '../../ui/copy-button.js';
import { Dialog, DialogTitle } from '../../ui/dialog.js';

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A new secret, which only this page has and forgets when it is closed. */
export function SecretOnce({ title, secret, onClose, children }: SecretOnceProps) {
  const [outcome, setOutcome] = useState<string | null>(null);
  return (
    <Dialog label={title} onClose={onClose} isDismissible={false}>
      <DialogTitle onClose={onClose}>{title}</DialogTitle>
      <div className="flex flex-col gap-3 p-4">
        <p>Copy it now: it is shown once, and cannot be read again.</p>
        <output className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm break-all select-all">
          {secret}
        </output>
        {children}
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" onClick={() => void copyInDialog(secret).then(setOutcome)}>
            <Copy aria-hidden className="size-3.5" /> Copy
          </Button>
          <Button onClick={onClose}>I have stored it</Button>
          <span role="status" className="text-muted">
            {outcome}
          </span>
        </div>
      </div>
    </Dialog>
  );
}
