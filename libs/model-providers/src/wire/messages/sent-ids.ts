/** Ids of calls as the API takes them: letters, digits, `_` and `-`, each once in a conversation. */
export class SentIds {
  private readonly used = new Set<string>();

  /** The id of the next call; a repeated one gets a number. */
  next(id: string): string {
    const base = id.replaceAll(/[^a-zA-Z0-9_-]/gu, '_') || 'call';
    let sent = base;
    for (let number = 2; this.used.has(sent); number += 1) sent = `${base}_${number}`;
    this.used.add(sent);
    return sent;
  }
}
