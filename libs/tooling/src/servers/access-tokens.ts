/** A server's rejection of a request's access token (RFC 6750 3, RFC 9728 5.1). */
export interface AccessChallenge {
  /** 403: the token is valid, but its scope is insufficient. */
  readonly status: 401 | 403;
  /** Required scope, from the server's header. */
  readonly scope: string | null;
  /** URL of the server's metadata. */
  readonly resourceMetadata: string | null;
}

/** OAuth access tokens of one holder for one server. They grant the holder's access. */
export abstract class AccessTokens {
  /** Identifies the holder: equal for all runs that may share connections opened with these tokens. Not a secret. */
  abstract readonly holder: string;

  /** A token with enough remaining lifetime. Rejects with a `ToolServerFailure`. */
  abstract current(signal: AbortSignal): Promise<string>;

  /**
   * Replaces a token that the server rejected; the rejected request had no effect. Rejects with a `ToolServerFailure`
   * if no other token is available.
   */
  abstract renew(refused: string, challenge: AccessChallenge, signal: AbortSignal): Promise<string>;
}
