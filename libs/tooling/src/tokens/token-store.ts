/** Secret tokens of executions, read when a tool server is opened. */
export abstract class TokenStore {
  /**
   * The `tokens` of the execution's request, by name; empty if it had none. Throws `TOKENS_EXPIRED` of kind
   * `invalid_input` if they have expired, which ends the execution; call it only if a template names a token.
   */
  abstract read(tenantId: string, executionId: string): Promise<Readonly<Record<string, string>>>;
}
