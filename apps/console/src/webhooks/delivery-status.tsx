import { CircleCheck, CircleX, LoaderCircle, type LucideIcon } from 'lucide-react';
import { clsx } from 'clsx';
import type { WebhookDelivery } from '../api/types.js';

type Status = WebhookDelivery['status'];

export const DELIVERY_LOOK: Readonly<Record<Status, { word: string; icon: LucideIcon; colour: string }>> = {
  pending: { word: 'Pending', icon: LoaderCircle, colour: 'text-running' },
  delivered: { word: 'Delivered', icon: CircleCheck, colour: 'text-done' },
  exhausted: { word: 'Given up', icon: CircleX, colour: 'text-failed' },
};

/** State of a delivery by word, shape and colour. */
export function DeliveryStatus({
  status,
  className,
}: {
  readonly status: Status;
  readonly className?: string;
}) {
  const { word, icon: Icon, colour } = DELIVERY_LOOK[status];
  return (
    <span
      className={clsx('inline-flex items-center gap-1.5 align-middle whitespace-nowrap', colour, className)}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {word}
    </span>
  );
}
