/** What a server said where it refused a request for its token (RFC 6750 3, RFC 9728 5.1). */
export interface AccessChallenge {
  /** 403: the token is good, and its scope is too small. */
  readonly status: 401 | 403;
  /** What is needed, as the server says it. */
  readonly scope: string | null;
  /** Where the server describes itself. */
  readonly resourceMetadata: string | null;
}

/** OAuth access tokens for one server, of one holder: whoever asks for them is let in as that holder. */
export abstract class AccessTokens {
  /** The same text for all that may share what was opened with these tokens, and for nobody else. No secret. */
  abstract readonly holder: string;

  /** One that is good for some time yet. Rejects with a `ToolServerFailure`. */
  abstract current(signal: AbortSignal): Promise<string>;

  /**
   * Another one, since the server has refused that one, which has done nothing of what it was sent with. Rejects with a
   * `ToolServerFailure` where there is none.
   */
  abstract renew(refused: string, challenge: AccessChallenge, signal: AbortSignal): Promise<string>;
}
