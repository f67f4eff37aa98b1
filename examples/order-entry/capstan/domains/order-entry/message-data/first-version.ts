import type { MessageData } from 'capstan/kit';
import { outputReportSchema, type OutputReport } from '../agent-results/output-report.ts';
import { bakedSchemas, inputSchemas } from './additional-data.ts';
import { isJsonObject, jsonObjectSchema, type JsonObject } from '../values.ts';
import { domSnapshotInputSchema } from './dom-snapshot.ts';

type EarlierData = NonNullable<MessageData['earlier']>[number];

/** In the first version, snapshots and reports could be any JSON objects. */
export const firstVersion: EarlierData = {
  version: 1,
  keys: { ...inputSchemas, ...bakedSchemas, domSnapshot: jsonObjectSchema, outputReport: jsonObjectSchema },
  upgrade: ({ domSnapshot, outputReport, ...others }) => ({
    ...others,
    ...(isJsonObject(domSnapshot) && { domSnapshot: readable(domSnapshot) }),
    ...(isJsonObject(outputReport) && { outputReport: toReport(outputReport) }),
  }),
};

/** Drops fields that now have another type. */
function readable(snapshot: JsonObject): JsonObject {
  const wrong = new Set(
    domSnapshotInputSchema.safeParse(snapshot).error?.issues.map(({ path }) => path[0]) ?? [],
  );
  return Object.fromEntries(Object.entries(snapshot).filter(([key]) => !wrong.has(key)));
}

const NOTHING_REPORTED: OutputReport = {
  ...{ summary: '', orderRequestId: null, customerName: null, readyLines: 0, openLines: 0, review: null },
};

/** Copies the fields that a report still has. */
function toReport(earlier: JsonObject): JsonObject {
  const fields = Object.entries(outputReportSchema.shape).flatMap(([key, schema]) => {
    const read = schema.safeParse(earlier[key]);
    return read.success ? [[key, read.data] as const] : [];
  });
  return { ...NOTHING_REPORTED, ...Object.fromEntries(fields) };
}
