import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/types.js';
import { formatTokens } from '../format/amounts.js';
import type { Since } from '../runs/runs-filter.js';
import { keepOrder } from './keep-order.js';
import { Panel } from './panel.js';

/** Runs that ended with an error by its code; rows stay where they are while numbers change. */
export function Errors({ overview }: { readonly overview: Overview }) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const rows = keepOrder(order, overview.errors, ({ code }) => code);
  const keys = rows.map(({ code }) => code);
  if (keys.join() !== order.join()) setOrder(keys);
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const since: Since = overview.window;
  return (
    <Panel title="Errors by code">
      {rows.length === 0 && <p className="px-4 py-3 text-muted">No run of the window ended with an error.</p>}
      <ul>
        {rows.map(({ code, count }) => (
          <li key={code} className="flex h-9 items-center gap-3 border-b border-line px-4 hover:bg-hover">
            <Link
              to="/runs"
              search={{ error: code, since }}
              className="min-w-0 flex-1 truncate font-mono text-sm hover:underline"
              title={`Runs with ${code}`}
            >
              {code}
            </Link>
            <span aria-hidden className="h-1.5 w-24 rounded-full bg-line">
              <span
                className="block h-full rounded-full bg-failed"
                style={{ width: `${(count / most) * 100}%` }}
              />
            </span>
            <span className="w-14 text-right">{formatTokens(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
