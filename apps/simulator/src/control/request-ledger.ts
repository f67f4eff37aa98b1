import type { Endpoint } from '../faults/fault-rule.js';
import type { DeliveryEnd } from '../http/send-delivery.js';
import type { Usage } from '../responses/response-schema.js';

const MAX_ENTRIES = 5_000;
const MAX_BODY_CHARACTERS = 64 * 1024 * 1024;

/** Facts about a request at its arrival. */
export interface Arrival {
  readonly endpoint: Endpoint;
  /** Unix milliseconds. */
  readonly at: number;
  /** Headers, without those that hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body; JSON text if `isJson`. */
  readonly body: string;
  readonly isJson: boolean;
}

/** Facts about a request that become known while it is answered. */
export interface Answered {
  readonly key?: string | null;
  readonly model?: string;
  readonly stream?: boolean;
  readonly round?: number;
  /** Kinds of the faults injected into this request. */
  readonly faults?: readonly string[];
  readonly status?: number;
  readonly response_id?: string;
  /** Null when the response had no usage. */
  readonly usage?: Usage | null;
  /** Whether the whole answer, up to its terminal event, was sent. */
  readonly terminal_sent?: boolean;
  readonly end?: DeliveryEnd;
}

interface Entry {
  readonly number: number;
  readonly arrival: Arrival;
  answered: Answered;
}

/** All requests of this server; the oldest are evicted above 5 000 entries or 64 Mi characters of bodies. */
export class RequestLedger {
  private entries: Entry[] = [];
  private nextNumber = 1;
  private bodyCharacters = 0;
  private forgotten = 0;

  /** Records a request. The returned function adds facts about its answer, and may be called repeatedly. */
  open(arrival: Arrival): (answered: Answered) => void {
    const entry: Entry = { number: this.nextNumber, arrival, answered: {} };
    this.nextNumber += 1;
    this.entries.push(entry);
    this.bodyCharacters += arrival.body.length;
    this.forgetOldest();
    return (answered) => {
      entry.answered = { ...entry.answered, ...answered };
    };
  }

  /** The requests of one key, or all, as JSON text. Bodies are inserted as received, so their depth does not matter. */
  toJson(key?: string | null): string {
    const shown = this.entries.filter((entry) => key === undefined || (entry.answered.key ?? null) === key);
    return `{"requests":[${shown.map(entryToJson).join(',')}],"forgotten":${this.forgotten}}`;
  }

  /** Deletes the requests of one key, or all. */
  clear(key?: string | null): void {
    this.entries = this.entries.filter((entry) => key !== undefined && (entry.answered.key ?? null) !== key);
    this.bodyCharacters = this.entries.reduce((sum, entry) => sum + entry.arrival.body.length, 0);
    if (key === undefined) this.forgotten = 0;
  }

  private forgetOldest(): void {
    while (this.entries.length > MAX_ENTRIES || this.bodyCharacters > MAX_BODY_CHARACTERS) {
      const oldest = this.entries.shift();
      if (oldest === undefined) return;
      this.bodyCharacters -= oldest.arrival.body.length;
      this.forgotten += 1;
    }
  }
}

function entryToJson({ number, arrival, answered }: Entry): string {
  const facts = {
    number,
    at: new Date(arrival.at).toISOString(),
    endpoint: arrival.endpoint,
    key: null,
    model: null,
    stream: false,
    round: null,
    faults: [],
    status: null,
    response_id: null,
    usage: null,
    terminal_sent: false,
    end: null,
    ...answered,
    headers: arrival.headers,
  };
  const body = arrival.isJson ? arrival.body : JSON.stringify(arrival.body === '' ? null : arrival.body);
  return `${JSON.stringify(facts).slice(0, -1)},"body":${body}}`;
}
