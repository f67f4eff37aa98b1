/** The secrets of executions, for whoever opens a tool server for one. */
export abstract class TokenStore {
  /**
   * What the request of the execution gave as `tokens`, by name; nothing where it gave none. Throws `TOKENS_EXPIRED`,
   * kind `invalid_input`, where it gave some and they are kept no longer: the execution ends with it. Ask only where a
   * template names a token, so that an execution that needs none goes on without.
   */
  abstract read(tenantId: string, executionId: string): Promise<Readonly<Record<string, string>>>;
}
