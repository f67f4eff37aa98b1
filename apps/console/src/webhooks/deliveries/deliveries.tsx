import { useState } from 'react';
import { Repeat } from 'lucide-react';
import { useMissingScope } from '../../app/session.js';
import { Button } from '../../ui/button.js';
import { useKeys } from '../../ui/keys.js';
import { NewRows } from '../../ui/new-rows.js';
import { Empty } from '../../ui/notice.js';
import { PagedList } from '../../ui/paged-list.js';
import { WithInspector } from '../../ui/with-inspector.js';
import { RedeliverDialog } from '../redelivery/redeliver-dialog.js';
import { filterOf, type DeliveryFilter, type DeliveryView } from '../webhooks-search.js';
import { deliveryColumns } from './delivery-columns.js';
import { DeliveryFilterBar } from './delivery-filter-bar.js';
import { DeliveryInspector } from './delivery-inspector.js';
import { useDeliveries } from './use-deliveries.js';

interface DeliveriesProps {
  readonly view: DeliveryView;
  /** The one endpoint whose deliveries are shown. */
  readonly fixedEndpoint?: number;
  readonly onChange: (next: DeliveryView) => void;
  /** Called by Esc when nothing is open. */
  readonly onLeave: (() => void) | null;
}

/** Deliveries of a filter, the open one beside them, and a way to send all of them again. */
export function Deliveries({ view, fixedEndpoint, onChange, onLeave }: DeliveriesProps) {
  const filter = filterOf(view);
  const asked: DeliveryFilter = fixedEndpoint === undefined ? filter : { ...filter, endpoint: fixedEndpoint };
  const [isAtTop, setIsAtTop] = useState(true);
  const deliveries = useDeliveries(asked, isAtTop);
  const missingScope = useMissingScope('webhooks:write');
  const [isRedelivering, setIsRedelivering] = useState(false);
  const open = (id: string): void => onChange({ ...filter, open: id });
  const close = (): void => onChange(filter);
  useKeys({ Escape: () => (view.open === undefined ? onLeave?.() : close()) });
  return (
    <>
      <DeliveryFilterBar filter={filter} hasEndpoint={fixedEndpoint === undefined} onChange={onChange}>
        <Button
          unavailable={missingScope}
          disabled={deliveries.rows.length === 0}
          onClick={() => setIsRedelivering(true)}
        >
          <Repeat aria-hidden className="size-3.5" /> Send all of these again …
        </Button>
      </DeliveryFilterBar>
      <NewRows
        count={deliveries.fresh}
        hasGap={deliveries.hasGap}
        words={['delivery', 'deliveries']}
        onShow={deliveries.restart}
      />
      <WithInspector
        inspector={
          view.open !== undefined && <DeliveryInspector key={view.open} id={view.open} onClose={close} />
        }
      >
        <PagedList
          query={deliveries.pages}
          rows={deliveries.rows}
          label="Deliveries"
          columns={deliveryColumns({ hasUrl: fixedEndpoint === undefined, onOpen: open })}
          rowKey={({ id }) => id}
          selectedKey={view.open ?? null}
          onOpen={({ id }) => open(id)}
          onScrolled={setIsAtTop}
          empty={<NoDeliveries isNarrowed={Object.keys(filter).length > 0} onClear={() => onChange({})} />}
        />
      </WithInspector>
      {isRedelivering && (
        <RedeliverDialog
          filter={asked}
          onClose={() => setIsRedelivering(false)}
          onDone={deliveries.restart}
        />
      )}
    </>
  );
}

function NoDeliveries(props: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  if (props.isNarrowed) {
    return (
      <Empty title="No delivery matches the filters">
        <Button onClick={props.onClear}>Clear the filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No deliveries yet">
      <p className="text-muted">
        A delivery appears here with each event that an endpoint, or the webhook of a run, wants.
      </p>
    </Empty>
  );
}
