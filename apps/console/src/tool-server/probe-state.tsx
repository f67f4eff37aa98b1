import { CircleCheck, CircleX } from 'lucide-react';
import type { ToolServerProbe } from '../api/types.js';
import { formatDuration } from '../format/durations.js';

/** A probe in one line: that the server can be used, or why it cannot. */
export function ProbeState({ probe }: { readonly probe: ToolServerProbe }) {
  if (probe.ok) {
    return (
      <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap text-done">
        <CircleCheck aria-hidden className="size-3.5 shrink-0" />
        {probe.tools.length} {probe.tools.length === 1 ? 'tool' : 'tools'}, {formatDuration(probe.latency_ms)}
      </span>
    );
  }
  return (
    <span
      title={probe.message ?? undefined}
      className="inline-flex items-center gap-1.5 align-middle text-failed"
    >
      <CircleX aria-hidden className="size-3.5 shrink-0" />
      {probe.fault?.replaceAll('_', ' ') ?? 'failed'}
    </span>
  );
}
