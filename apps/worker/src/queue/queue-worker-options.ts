/**
 * Workers start when the registrar says so. BullMQ never decides an ending: a job that stalls is handed out again as
 * often as it takes, and the claim decides whether anything is left to do.
 */
export const QUEUE_WORKER_OPTIONS = {
  autorun: false,
  lockDuration: 30_000,
  stalledInterval: 15_000,
  maxStalledCount: 1_000,
  // After trouble with the connection; its own is 15 s.
  runRetryDelay: 1_000,
};
