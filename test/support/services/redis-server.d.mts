/** Whether this machine has a `redis-server` program. */
export function isRedisInstalled(): boolean;

/** Starts a Redis of its own below `folder` that keeps nothing on disk; answers its URL once it answers PING. */
export function startRedisServer(folder: string): Promise<string>;

/** Stops the Redis that was started below `folder`, by whichever process; does nothing when none runs. */
export function stopRedisServer(folder: string): Promise<void>;
