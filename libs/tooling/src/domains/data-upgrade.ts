import type { DataSchemas } from '#libs/kit';
import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import type { EarlierData, MessageData } from './domain.js';

/** Upgrades one domain's part of a message's data to the current version. */
export class DataUpgrade {
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
