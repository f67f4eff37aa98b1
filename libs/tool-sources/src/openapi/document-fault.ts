/** What is wrong with an API description, and where: `orders.yaml#/paths/~1orders/get: must be an object`. Safe to show. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';

  /**
   * @param place a JSON pointer behind `#`, with the file's name before it where there are several
   * @param reason what is wrong, and what is allowed
   */
  constructor(
    readonly place: string,
    readonly reason: string,
  ) {
    super(`${place}: ${reason}`.slice(0, LONGEST_MESSAGE));
  }
}

const LONGEST_MESSAGE = 300;
