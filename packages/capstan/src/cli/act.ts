import type { Session } from './session.js';

/** Makes the action of a command: it gets a session and its arguments, and answers the exit code. */
export type Act = <Args extends unknown[]>(
  work: (session: Session, ...args: Args) => Promise<number>,
) => (...args: [...Args, ...unknown[]]) => Promise<void>;
