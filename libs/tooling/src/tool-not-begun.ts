/**
 * Thrown by an `unsafe` tool that failed before any effect, e.g. because its settings were unreadable: the call has
 * certainly not taken effect, regardless of `cause`. The message is for the audit only.
 */
export class ToolNotBegun extends Error {
  override readonly name = 'ToolNotBegun';
}
