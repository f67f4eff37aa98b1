/** A field is not what it has to be; the message names it and what is allowed. */
export class UnsendableArgument extends Error {
  override readonly name = 'UnsendableArgument';
}
