/** Makes ids that sort by creation time (UUID version 7, RFC 9562). */
export interface IdGenerator {
  next(): string;
}
