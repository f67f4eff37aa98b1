/** Whether nothing listens on this port of this address (127.0.0.1 when none is given). */
export function isPortFree(port: number, host?: string): Promise<boolean>;

/** The preferred port, or the next free one after it that is not promised to somebody else already. */
export function nextFreePort(
  preferred: number,
  options?: { readonly host?: string; readonly taken?: ReadonlySet<number> },
): Promise<number>;

/** A port that the operating system says is free at this moment. */
export function anyFreePort(host?: string): Promise<number>;
