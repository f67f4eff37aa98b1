/** The worker that shares the API's process; health probes then cover both. */
export abstract class Companion {
  /** False when only a restart helps. */
  abstract get isLive(): boolean;

  /** Resolves when the worker is running and its dependencies answer; throws otherwise. */
  abstract checkReady(): Promise<void>;
}
