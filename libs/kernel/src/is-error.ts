/** As `Error.isError`, which Node 22 lacks: true for errors of any realm, such as a test sandbox, and for `DOMException`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
