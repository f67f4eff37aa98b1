import type { EventStream } from '#libs/executions';

export type BackendStream = EventStream & { close?(): Promise<void> };

/** One server with its data; what the contract of event streams is held against. */
export interface EventStreamBackend {
  /** A stream as another process would have it: connections of its own, the same data. */
  open(): BackendStream;
  /** Cuts the connections over which wake-ups come, once there are any; null where there are none to cut. */
  readonly cutWakeUps: (() => Promise<void>) | null;
  /** Puts an event of a name that this release does not know under `id`; null where that cannot happen. */
  readonly appendUnknown: ((executionId: string, id: number) => Promise<void>) | null;
  /** Makes everything that is in a stream so much older. */
  age(executionId: string, byMs: number): Promise<void>;
  close(): Promise<void>;
}
