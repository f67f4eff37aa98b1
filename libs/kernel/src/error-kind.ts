/** What sort of thing went wrong. HTTP statuses and job outcomes are derived from it at the edges, exhaustively. */
export type ErrorKind =
  | 'invalid_input'
  | 'unauthenticated'
  | 'denied'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'unprocessable'
  | 'too_large'
  | 'limit_exceeded'
  | 'unavailable'
  | 'timeout'
  | 'internal'
  | 'lease_lost';
