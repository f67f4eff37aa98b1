/** Makes a switch exhaustive: a new member of the union no longer compiles until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
