import { CircleCheck, CircleX, Contrast, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { Worker } from '../api/types.js';
import { absoluteTime } from '../format/times.js';
import { CopyButton } from '../ui/copy-button.js';
import { Time } from '../ui/time.js';
import { stateOf, type WorkerState } from './releases.js';

const LOOK: Readonly<Record<WorkerState, { word: string; icon: LucideIcon; colour: string }>> = {
  working: { word: 'Working', icon: CircleCheck, colour: 'text-done' },
  draining: { word: 'Draining', icon: Contrast, colour: 'text-action' },
  missing: { word: 'Missing', icon: CircleX, colour: 'text-failed' },
};
const CELL = 'h-9 px-2 first:pl-4 last:pr-4 whitespace-nowrap';

interface WorkerTableProps {
  readonly workers: readonly Worker[];
  readonly newest: string | null;
}

/** Every worker, by id. */
export function WorkerTable({ workers, newest }: WorkerTableProps) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of workers">
      <table className="w-full">
        <thead className="text-left text-sm text-muted">
          <tr className="border-b border-line">
            {['Worker', 'State', 'Release', 'Roles', 'Slots in use', 'Started', 'Last seen'].map((header) => (
              <th key={header} scope="col" className={clsx(CELL, 'font-normal')}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} newest={newest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WorkerRow({ worker, newest }: { readonly worker: Worker; readonly newest: string | null }) {
  const { word, icon: Icon, colour } = LOOK[stateOf(worker)];
  const { id, release, roles, draining_since, started_at, last_seen_at } = worker;
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className={clsx(CELL, 'max-w-80 text-left font-normal')}>
        <span className="flex items-center gap-1">
          <span className="truncate font-mono text-sm" title={id}>
            {id}
          </span>
          <CopyButton text={id} label={`Copy ${id}`} />
        </span>
      </th>
      <td className={CELL}>
        <span className={clsx('inline-flex items-center gap-1.5', colour)}>
          <Icon aria-hidden className="size-3.5" /> {word}
          {draining_since !== null && (
            <span className="text-muted">
              <Time at={draining_since} />
            </span>
          )}
        </span>
      </td>
      <td className={clsx(CELL, 'font-mono text-sm', release !== newest && 'text-action')}>
        {release ?? 'unknown'}
      </td>
      <td className={clsx(CELL, 'max-w-48 truncate text-muted')} title={roles.join(', ')}>
        {roles.join(', ')}
      </td>
      <td className={CELL}>
        <Slots worker={worker} />
      </td>
      <td className={clsx(CELL, 'text-muted')}>
        <Time at={started_at} />
      </td>
      <td className={clsx(CELL, 'text-muted')}>
        {last_seen_at === null ? 'unknown' : <span title={absoluteTime(last_seen_at)}>now</span>}
      </td>
    </tr>
  );
}

function Slots({ worker: { slots, slots_in_use } }: { readonly worker: Worker }) {
  if (slots === 0) return <span className="text-muted">runs none</span>;
  const share = Math.min(1, slots_in_use / slots);
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-20 rounded-full bg-line">
        <span
          className={clsx('block h-full rounded-full', share < 1 ? 'bg-running' : 'bg-action')}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      {slots_in_use} of {slots}
    </span>
  );
}
