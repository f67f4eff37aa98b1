/**
 * A fault in an API description with its place, e.g. `orders.yaml#/paths/~1orders/get: must be an object`. Safe to
 * show.
 */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';

  /**
   * @param place JSON pointer after `#`, preceded by the file's name if there are several files
   * @param reason the fault and the allowed form
   */
  constructor(
    readonly place: string,
    readonly reason: string,
  ) {
    super(`${place}: ${reason}`.slice(0, MAX_MESSAGE));
  }
}

const MAX_MESSAGE = 300;
