/** What a process is beside an API, where it is more: a probe that asks the API means both. */
export abstract class Companion {
  /** False when a restart would help. */
  abstract get isLive(): boolean;

  /** Resolves when it does its work, and what it depends on answers; throws else. */
  abstract checkReady(): Promise<void>;
}
