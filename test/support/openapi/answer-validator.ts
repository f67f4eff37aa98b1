import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schemaPointer, type OpenApiDocument, type Operation } from './openapi-document.js';

const PROBLEM = 'application/problem+json';
const DOCUMENT = 'https://capstan.invalid/openapi.json';

/** The parts of an answer that are validated. */
export interface SeenAnswer {
  readonly status: number;
  readonly mediaType: string | null;
  readonly text: string;
}

/** An event as a parser of server-sent events returns it. */
interface SeenEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

/** The schemas of events. */
export type EventSchema = 'ExecutionEvent' | 'DocumentEvent' | 'ExecutionListEvent';

/** Reports the differences between answers and the document. */
export class AnswerValidator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ ...document, $id: DOCUMENT }, undefined, false, false);
  }

  /** The faults of an answer, in words; a status of 500 or above is a fault as well. */
  faultsOf(operation: Operation, answer: SeenAnswer): string[] {
    const { status, text } = answer;
    if (status >= 500) return [`it answers ${status}: ${text.slice(0, 300)}`];
    return this.undocumentedOf(operation, answer);
  }

  /** As {@link faultsOf}, for a server that may fail in documented ways. */
  undocumentedOf(operation: Operation, answer: SeenAnswer): string[] {
    const { status, mediaType, text } = answer;
    const documented = operation.mediaTypes.get(status);
    if (documented === undefined) return [`status ${status} is not documented: ${text.slice(0, 300)}`];
    if (documented.length === 0)
      return text === '' ? [] : [`status ${status} has a body: ${text.slice(0, 300)}`];
    if (status >= 400 && mediaType !== PROBLEM)
      return [`status ${status} is ${String(mediaType)}, no problem`];
    if (mediaType === null || !documented.includes(mediaType))
      return [`status ${status} is ${String(mediaType)}, not ${documented.join(' or ')}`];
    if (mediaType === 'text/event-stream') return text === '' ? ['the event stream is empty'] : [];
    // Any bytes are valid.
    if (mediaType === 'application/octet-stream') return [];
    return this.faultsOfBody(operation, answer, mediaType);
  }

  /** The faults of an answer to a path that belongs to no operation, or to another one: an error has to be a problem. */
  faultsOffRoute({ status, mediaType, text }: SeenAnswer): string[] {
    if (status >= 500) return [`it answers ${status}: ${text.slice(0, 300)}`];
    if (status < 400) return [];
    if (mediaType !== PROBLEM)
      return [`status ${status} is ${String(mediaType)}, no problem: ${text.slice(0, 300)}`];
    return this.validate('#/components/schemas/Problem', status, text);
  }

  /** The differences between an event and the document. */
  faultsOfEvent({ id, event, data }: SeenEvent, of: EventSchema = 'ExecutionEvent'): string[] {
    const seen = { ...(id !== undefined && { id }), event, data: parse(data) };
    const validate = this.validatorOf(`#/components/schemas/${of}`);
    // An event without a match fails the schemas of all kinds; only the errors of its own kind are of use.
    if (validate(seen)) return [];
    const words = this.ajv.errorsText(this.errorsOfEvent(String(event), seen, of), { dataVar: 'event' });
    return [`the event ${String(event)} is another than documented: ${words}: ${data.slice(0, 300)}`];
  }

  private errorsOfEvent(name: string, seen: object, of: EventSchema): ValidateFunction['errors'] {
    const { discriminator } = this.document.components.schemas[of] ?? {};
    const pointer = discriminator?.mapping[name];
    if (pointer === undefined) return [];
    const validate = this.validatorOf(pointer);
    validate(seen);
    return validate.errors;
  }

  private faultsOfBody(operation: Operation, { status, text }: SeenAnswer, mediaType: string): string[] {
    return this.validate(`#${schemaPointer(operation, status, mediaType)}`, status, text);
  }

  private validate(pointer: string, status: number, text: string): string[] {
    const body = parse(text);
    if (body === undefined) return [`status ${status} is no JSON: ${text.slice(0, 300)}`];
    const validate = this.validatorOf(pointer);
    if (!validate(body)) {
      const words = this.ajv.errorsText(validate.errors, { dataVar: 'body', separator: '; ' });
      return [`status ${status} has another body than documented: ${words}: ${text.slice(0, 300)}`];
    }
    if (status >= 400 && (body as { status: unknown }).status !== status)
      return [`the problem says another status than ${status}: ${text.slice(0, 300)}`];
    return [];
  }

  private validatorOf(pointer: string): ValidateFunction {
    const validator = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `${DOCUMENT}${pointer}` });
    this.validators.set(pointer, validator);
    return validator;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
