import type { Execution } from '../api/types.js';
import { JsonView } from '../ui/json-view.js';

/** The execution as the API answers it. */
export function RawTab({ run }: { readonly run: Execution }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
      <h2 className="sr-only">Answer of the API</h2>
      <JsonView label="Execution" value={run} fileName={`execution-${run.id}.json`} />
    </div>
  );
}
