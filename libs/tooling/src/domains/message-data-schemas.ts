import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import {
  attachedFileSchema,
  ATTACHMENTS_KEY,
  givenAttachmentsSchema,
  nameAttachments,
  readAttachments,
} from './attached-file.js';
import type { DataSchemas, MessageData } from './domain.js';
import { DataUpgrade } from './data-upgrade.js';

/**
 * Where the service itself keeps what an answer comes from, beside what domains declare. No request may send it, and no
 * model reads it.
 */
export const CITATIONS_KEY = 'citations';

/** Where it keeps what the provider says of places in an answer (S2-23): the same holds. */
export const ANNOTATIONS_KEY = 'openaiFileAnnotations';

/** Keys that no domain may declare. */
export const SERVICE_KEYS = [ATTACHMENTS_KEY, ANNOTATIONS_KEY, CITATIONS_KEY] as const;

/** What a provider says of a place in an answer, as it says it. */
const annotationSchema = z.looseObject({ type: z.string() });
export type ResponseAnnotation = JsonObject & { readonly type: string };

const SERVICE_INPUT: DataSchemas = { [ATTACHMENTS_KEY]: givenAttachmentsSchema };
const SERVICE_STORED: DataSchemas = {
  [ATTACHMENTS_KEY]: z.array(attachedFileSchema),
  [ANNOTATIONS_KEY]: z.array(annotationSchema),
};

/** The data of messages as all domains together declare it. Their keys are disjoint; `DomainCatalogue` checks that. */
export class MessageDataSchemas {
  /**
   * The `additional_data` of a request. A key that no domain declares is refused, and the issue names those that exist;
   * where none declares any, every object of at most 64 kB is taken.
   */
  readonly input: z.ZodType<JsonObject>;
  /** A message's data as the API answers it: what was sent and what was baked. */
  readonly stored: z.ZodType<JsonObject>;
  private readonly hidden: ReadonlySet<string>;
  /** Whether no domain declares anything: then what a client sends is its own, and no model reads it. */
  private readonly isFree: boolean;
  private readonly upgrades: readonly DataUpgrade[];

  constructor(declared: readonly Required<MessageData>[]) {
    const input = mergeSchemas([...declared.map((data) => data.input), SERVICE_INPUT]);
    const stored = mergeSchemas(declared.map((data) => data.stored));
    this.isFree = declared.every(declaresNothing);
    this.input = this.isFree
      ? freeSchema()
      : strictSchema(input, `is not a key of any domain; allowed: ${listed(input)}`);
    // Open: data that a domain declared in an earlier release is answered all the same.
    this.stored = z.looseObject(
      optional({ ...input, ...stored, ...SERVICE_STORED }),
    ) as unknown as z.ZodType<JsonObject>;
    this.upgrades = declared.map((data) => new DataUpgrade(data));
    this.hidden = new Set([
      ANNOTATIONS_KEY,
      CITATIONS_KEY,
      ...declared.flatMap((data) => data.hiddenFromModel),
    ]);
  }

  /** A message's data as the domains declare it now, whichever release has kept it (S2-23). */
  current(kept: JsonObject): JsonObject {
    return this.upgrades.reduce((data, upgrade) => upgrade.apply(data), kept);
  }

  /** What the model reads of a message's data: of files the names alone, since their content comes with its own turn. */
  shownToModel(kept: JsonObject): JsonObject {
    const data = this.current(kept);
    const shown = this.isFree ? [] : Object.entries(data).filter(([key]) => !this.hidden.has(key));
    const attached = readAttachments(data);
    if (attached.length === 0) return Object.fromEntries(shown);
    return { ...Object.fromEntries(shown), [ATTACHMENTS_KEY]: nameAttachments(attached) };
  }
}

function declaresNothing({ input, stored, earlier }: Required<MessageData>): boolean {
  return [input, stored].every((schemas) => Object.keys(schemas).length === 0) && earlier.length === 0;
}

/** The longest `additional_data` where no domain says what stands in it, in bytes of its JSON. */
const FREE_DATA_BYTES = 65_536;
const OWN_KEYS = [ANNOTATIONS_KEY, CITATIONS_KEY];

/** Any object, but for keys that only the service writes. Attached files are read as ever. */
function freeSchema(): z.ZodType<JsonObject> {
  const schema = z.looseObject(optional(SERVICE_INPUT)).superRefine((data, context) => {
    for (const key of OWN_KEYS)
      if (Object.hasOwn(data, key))
        context.addIssue({ code: 'custom', path: [key], message: 'is written by the service alone' });
    const bytes = new TextEncoder().encode(JSON.stringify(data)).length;
    if (bytes > FREE_DATA_BYTES)
      context.addIssue({
        code: 'custom',
        message: `must be at most ${FREE_DATA_BYTES} bytes of JSON, and is ${bytes}`,
      });
  });
  return schema as unknown as z.ZodType<JsonObject>;
}

/** An object of these keys and no others; parsing answers `refusal` for a key beside them. */
export function strictSchema(schemas: DataSchemas, refusal: string): z.ZodType<JsonObject> {
  const schema = z.strictObject(optional(schemas), {
    error: (issue) => (issue.code === 'unrecognized_keys' ? refusal : undefined),
  });
  return schema as unknown as z.ZodType<JsonObject>;
}

function mergeSchemas(schemas: readonly DataSchemas[]): DataSchemas {
  return Object.fromEntries(schemas.flatMap((some) => Object.entries(some)));
}

function optional(schemas: DataSchemas): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, schema.optional()]));
}

function listed(schemas: DataSchemas): string {
  return Object.keys(schemas).join(', ') || 'none';
}
