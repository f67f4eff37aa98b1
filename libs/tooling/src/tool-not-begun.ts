/**
 * Thrown by an `unsafe` tool that failed before it did anything, e.g. since its settings could not be read: whatever the
 * cause is, the call has not taken effect. The message is for the audit only.
 */
export class ToolNotBegun extends Error {
  override readonly name = 'ToolNotBegun';
}
