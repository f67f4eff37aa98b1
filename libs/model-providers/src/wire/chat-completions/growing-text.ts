/** One text of an answer, which arrives in deltas, complete, or both. */
export class GrowingText {
  private heard = '';
  private cameByDeltas = false;

  /** Appends a delta and returns it. */
  push(piece: string): string {
    this.heard += piece;
    this.cameByDeltas ||= piece !== '';
    return piece;
  }

  /**
   * Adds the text of a `message` and returns its new part. The message repeats the text so far, unless the server sends
   * messages instead of deltas: a message that does not start with the text so far is the next piece.
   * @param isLast whether the answer ends with it
   */
  pushWhole(whole: string, isLast: boolean): string {
    const isContinued = whole.startsWith(this.heard) && (isLast || whole.length > this.heard.length);
    if (this.cameByDeltas && !isContinued) return '';
    const piece = isContinued ? whole.slice(this.heard.length) : whole;
    this.heard += piece;
    return piece;
  }
}
