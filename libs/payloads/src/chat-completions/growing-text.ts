/** One text of an answer, which arrives in deltas, as a whole, or both. */
export class GrowingText {
  private heard = '';
  private cameByDeltas = false;

  /** Takes a piece; answers it. */
  push(piece: string): string {
    this.heard += piece;
    this.cameByDeltas ||= piece !== '';
    return piece;
  }

  /**
   * Takes the text of a `message`; answers what is new of it. It holds everything so far, unless its server sends
   * messages in
   * place of deltas: then it is the next piece where it does not begin with what was heard.
   *
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
