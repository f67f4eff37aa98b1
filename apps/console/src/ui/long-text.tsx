import { useState } from 'react';
import { Download } from 'lucide-react';
import { clsx } from 'clsx';
import { formatBytes } from '../format/amounts.js';
import { visibleText } from '../format/visible-text.js';
import { Button } from './button.js';
import { downloadText } from './download.js';
import { firstPart } from './first-part.js';

const FIRST_CHARACTERS = 10_000;
/** More than that in one element makes a page slow; what is longer is downloaded. */
const MAX_CHARACTERS = 200_000;

/** A text of any length: its beginning, more on demand, and all of it as a file. */
export function LongText({
  text,
  fileName,
  className = 'font-sans',
}: {
  readonly text: string;
  readonly fileName: string;
  readonly className?: string;
}) {
  const [limit, setLimit] = useState(FIRST_CHARACTERS);
  const shown = firstPart(text, limit);
  return (
    <div className="min-w-0">
      <pre className={clsx('wrap-anywhere whitespace-pre-wrap', className)}>{visibleText(shown)}</pre>
      {shown.length < text.length && (
        <div className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
          {formatBytes(shown.length)} of {formatBytes(text.length)}
          {limit < MAX_CHARACTERS && (
            <Button className="h-6 px-2" onClick={() => setLimit(Math.min(MAX_CHARACTERS, limit * 5))}>
              Show more
            </Button>
          )}
          <Button className="h-6 px-2" onClick={() => downloadText(text, fileName)}>
            <Download aria-hidden className="size-3.5" /> Download
          </Button>
        </div>
      )}
    </div>
  );
}
