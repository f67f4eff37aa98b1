import { useState } from 'react';
import { ListChecks, RotateCcw, Square } from 'lucide-react';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { Popover } from '../../ui/popover.js';
import type { RunsFilter } from '../runs-filter.js';
import type { BulkAction } from './bulk-action.js';
import { BulkDialog } from './bulk-dialog.js';

/** Actions on all runs of the filters. */
export function BulkMenu({ filter }: { readonly filter: RunsFilter }) {
  const missingScope = useMissingScope('executions:write');
  const [action, setAction] = useState<BulkAction | null>(null);
  const item = (name: BulkAction, close: () => void) => ({
    look: 'quiet' as const,
    className: 'w-full justify-start px-2 font-normal text-ink',
    unavailable: missingScope,
    onClick: () => {
      close();
      setAction(name);
    },
  });
  return (
    <>
      <Popover
        label="Do something to all runs of the filters"
        look="quiet"
        className="w-72"
        button={
          <>
            <ListChecks aria-hidden className="size-4" />
            <span>All of these …</span>
          </>
        }
      >
        {(close) => (
          <>
            <Button {...item('cancel', close)}>
              <Square aria-hidden className="size-3.5" /> Cancel those not over …
            </Button>
            <Button {...item('retry', close)}>
              <RotateCcw aria-hidden className="size-3.5" /> Retry those that did not complete …
            </Button>
            {missingScope !== null && <p className="px-2 py-1 text-sm text-muted">{missingScope}</p>}
          </>
        )}
      </Popover>
      {action !== null && <BulkDialog action={action} filter={filter} onClose={() => setAction(null)} />}
    </>
  );
}
