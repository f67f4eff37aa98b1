/** An event as it is on the wire. */
export interface WireEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** Null where the event has none of its own. */
  readonly id: string | null;
  readonly data: string;
}

/** Reads `text/event-stream` in pieces of any size, as https://html.spec.whatwg.org/#parsing-an-event-stream says. */
export class EventParser {
  /** Pause before a reconnection that the server asked for, in ms; null where it asked for none. */
  retryMs: number | null = null;

  private rest = '';
  private isFirst = true;
  /** The last piece ended in a carriage return, to which a line feed at the beginning of the next one belongs. */
  private endsInReturn = false;
  private event = '';
  private id: string | null = null;
  private data: string[] = [];

  /** Events that this piece completes. */
  push(piece: string): WireEvent[] {
    let text = piece;
    if (text === '') return [];
    if (this.isFirst) text = text.replace(/^\uFEFF/, '');
    this.isFirst = false;
    if (this.endsInReturn && text.startsWith('\n')) text = text.slice(1);
    this.endsInReturn = piece.endsWith('\r');
    const lines = (this.rest + text).split(/\r\n|\r|\n/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.take(line) ?? []);
  }

  private take(line: string): WireEvent | null {
    if (line === '') return this.dispatch();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  private dispatch(): WireEvent | null {
    const { data, event, id } = this;
    this.data = [];
    this.event = '';
    this.id = null;
    return data.length === 0 ? null : { event: event || 'message', id, data: data.join('\n') };
  }
}
