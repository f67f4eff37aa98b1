import { CircleCheck, CircleDashed, CirclePause, TriangleAlert, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { Worker } from '../api/types.js';
import { Time } from '../ui/time.js';
import { Panel } from './panel.js';
import { silentHostsOf, type SilentHost } from './silent-hosts.js';

const LOOK: Readonly<Record<SilentHost['breaker'], { word: string; icon: LucideIcon; colour: string }>> = {
  closed: { word: 'Closed', icon: TriangleAlert, colour: 'text-action' },
  open: { word: 'Open', icon: CirclePause, colour: 'text-failed' },
  half_open: { word: 'Half open', icon: CircleDashed, colour: 'text-action' },
};
const CELL = 'h-9 px-2 first:pl-4 last:pr-4 whitespace-nowrap';

/** Model hosts that left calls unanswered, with the circuit breaker of each worker. */
export function SilentHostsPanel({ workers }: { readonly workers: readonly Worker[] }) {
  const hosts = silentHostsOf(workers);
  return (
    <div className="border-t border-line">
      <Panel title="Model hosts">
        {hosts.length === 0 ? (
          <p className="flex items-center gap-1.5 px-4 py-3 text-muted">
            <CircleCheck aria-hidden className="size-3.5 text-done" /> No host leaves calls of a worker
            unanswered.
          </p>
        ) : (
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of model hosts">
            <table className="w-full">
              <thead className="text-left text-sm text-muted">
                <tr className="border-b border-line">
                  {['Host', 'Worker', 'Breaker', 'Unanswered calls', 'Next call'].map((header) => (
                    <th key={header} scope="col" className={clsx(CELL, 'font-normal')}>
                      {header}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {hosts.map((host) => (
                  <HostRow key={`${host.host} ${host.workerId}`} host={host} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
    </div>
  );
}

function HostRow({ host }: { readonly host: SilentHost }) {
  const { word, icon: Icon, colour } = LOOK[host.breaker];
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className={clsx(CELL, 'max-w-80 truncate text-left font-mono text-sm font-normal')}>
        {host.host}
      </th>
      <td className={clsx(CELL, 'max-w-80 truncate font-mono text-sm text-muted')} title={host.workerId}>
        {host.workerId}
      </td>
      <td className={CELL}>
        <span className={clsx('inline-flex items-center gap-1.5', colour)}>
          <Icon aria-hidden className="size-3.5" /> {word}
        </span>
      </td>
      <td className={CELL}>{host.failures}</td>
      <td className={clsx(CELL, 'text-muted')}>
        {host.paused_until === null ? 'is tried' : <Time at={host.paused_until} />}
      </td>
    </tr>
  );
}
