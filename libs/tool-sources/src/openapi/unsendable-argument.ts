/** An invalid argument; the message names the field and the allowed form. */
export class UnsendableArgument extends Error {
  override readonly name = 'UnsendableArgument';
}
