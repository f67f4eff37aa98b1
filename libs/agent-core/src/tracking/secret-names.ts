/** What stands in place of a secret. */
export const REDACTED = '***REDACTED***';

/** What the name of a secret has in it, as the source of a pattern; upper and lower case count alike. */
export const SECRET_NAMES =
  'token|secret|password|passwd|authorization|api[-_]?key|access[-_]?key|private[-_]?key|credentials?';
