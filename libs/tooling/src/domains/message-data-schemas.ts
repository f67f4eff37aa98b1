import type { DataSchemas } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import {
  attachedFileSchema,
  ATTACHMENTS_KEY,
  givenAttachmentsSchema,
  nameAttachments,
  readAttachments,
} from './attached-file.js';
import type { MessageData, EarlierData } from './domain.js';

/** Key under which the service stores an answer's citations. Requests may not send it, and the model never sees it. */
export const CITATIONS_KEY = 'citations';

/** Key of the provider's annotations of an answer (S2-23). Requests may not send it, and the model never sees it. */
export const ANNOTATIONS_KEY = 'openaiFileAnnotations';

/** Keys that no domain may declare. */
export const SERVICE_KEYS = [ATTACHMENTS_KEY, ANNOTATIONS_KEY, CITATIONS_KEY] as const;

/** A provider's annotation of a position in an answer, unchanged. */
const annotationSchema = z.looseObject({ type: z.string() });

const SERVICE_INPUT: DataSchemas = { [ATTACHMENTS_KEY]: givenAttachmentsSchema };
const SERVICE_STORED: DataSchemas = {
  [ATTACHMENTS_KEY]: z.array(attachedFileSchema),
  [ANNOTATIONS_KEY]: z.array(annotationSchema),
};

/** Message data schemas of all domains together. Their keys are disjoint, as `DomainCatalogue` checks. */
export class MessageDataSchemas {
  /**
   * Schema of a request's `additional_data`. Undeclared keys are rejected, with the allowed ones listed; if no domain
   * declares keys, any object of at most 65 536 bytes is accepted.
   */
  readonly input: z.ZodType<JsonObject>;
  /** A message's data as the API returns it: sent and baked keys. */
  readonly stored: z.ZodType<JsonObject>;
  private readonly hidden: ReadonlySet<string>;
  /** True if no domain declares keys: the client's data is stored freely, and no model reads it. */
  private readonly isFree: boolean;
  private readonly upgrades: readonly DataUpgrade[];

  constructor(declared: readonly Required<MessageData>[]) {
    const input = mergeSchemas([...declared.map((data) => data.input), SERVICE_INPUT]);
    const stored = mergeSchemas(declared.map((data) => data.stored));
    this.isFree = declared.every(declaresNothing);
    this.input = this.isFree
      ? freeSchema()
      : strictSchema(input, `is not a key of any domain; allowed: ${listed(input)}`);
    // A loose object, because data declared by an earlier release must still be returned.
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

  /** Upgrades stored data to the current version of each domain (S2-23). */
  current(kept: JsonObject): JsonObject {
    return this.upgrades.reduce((data, upgrade) => upgrade.apply(data), kept);
  }

  /**
   * The part of a message's data that the model reads. Attachments appear by name only: their contents are sent with
   * their own turn.
   */
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

/** Maximum bytes of `additional_data` as JSON if no domain declares keys. */
const FREE_DATA_BYTES = 65_536;
const OWN_KEYS = [ANNOTATIONS_KEY, CITATIONS_KEY];

/** Accepts any object without keys that only the service writes. Attachments are validated as usual. */
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

/** An object of these keys only; `refusal` is the message for any other key. */
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

/** Upgrades one domain's part of a message's data to the current version. */
class DataUpgrade {
  private readonly keys: ReadonlySet<string>;
  private readonly present: z.ZodType;
  private readonly earlier: readonly { readonly data: EarlierData; readonly schema: z.ZodType }[];

  constructor({ input, stored, earlier }: Required<MessageData>) {
    const present = { ...input, ...stored };
    this.keys = new Set([present, ...earlier.map(({ keys }) => keys)].flatMap((some) => Object.keys(some)));
    this.present = ofTheseKeys(present);
    this.earlier = earlier.map((data) => ({ data, schema: ofTheseKeys(data.keys) }));
  }

  /** Data that no version accepts stays unchanged. */
  apply(data: JsonObject): JsonObject {
    const own = Object.entries(data).filter(([key]) => this.keys.has(key));
    const kept = Object.fromEntries(own);
    if (own.length === 0 || this.present.safeParse(kept).success) return data;
    const from = this.earlier.findLastIndex(({ schema }) => schema.safeParse(kept).success);
    if (from === -1) return data;
    const others = Object.entries(data).filter(([key]) => !this.keys.has(key));
    const upgraded = this.earlier.slice(from).reduce((some, version) => version.data.upgrade(some), kept);
    return { ...Object.fromEntries(others), ...upgraded };
  }
}

function ofTheseKeys(schemas: DataSchemas): z.ZodType {
  const entries = Object.entries(schemas).map(([key, schema]) => [key, schema.optional()]);
  return z.strictObject(Object.fromEntries(entries));
}
