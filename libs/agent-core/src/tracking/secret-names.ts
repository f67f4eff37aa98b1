/** Replacement for the value of a secret. */
export const REDACTED = '***REDACTED***';

/** Pattern source for names of secrets: a name matches if it contains one of these, in any case. */
export const SECRET_NAMES =
  'token|secret|password|passwd|authorization|api[-_]?key|access[-_]?key|private[-_]?key|credentials?';
