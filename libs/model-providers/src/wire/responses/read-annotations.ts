import { isJsonObject, toStorableJson, type JsonObject } from '#libs/kernel';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { readObjects, readText } from '../model-calls/read-json.js';
import { readPartText } from './from-responses-output.js';

/** Maximum annotations per answer. */
const MAX_ANNOTATIONS = 200;
/** Maximum characters of all annotations of an answer as JSON; further ones are dropped. */
const MAX_CHARS = 65_536;

/** Fields with positions in a text, in Unicode characters. */
const PLACES = ['start_index', 'end_index', 'index'] as const;

/**
 * Reads the provider's annotations of any type, such as `url_citation`, `file_citation` and `container_file_citation`
 * (S2-23), within the limits. Positions are shifted to the whole text, which has one line per part.
 */
export function readAnnotations(output: readonly JsonObject[]): JsonObject[] {
  let [offset, room] = [0, MAX_CHARS];
  const annotations: JsonObject[] = [];
  for (const part of output.flatMap((item) => readObjects(item, 'content'))) {
    const text = readPartText(part);
    if (text === '') continue;
    for (const given of readObjects(part, 'annotations')) {
      const annotation = moved(given, offset);
      const length = JSON.stringify(annotation).length;
      if (readText(annotation, 'type') === undefined || length > room) continue;
      if (annotations.length >= MAX_ANNOTATIONS) return annotations;
      annotations.push(annotation);
      room -= length;
    }
    offset += Array.from(text).length + BETWEEN_PARTS.length;
  }
  return annotations;
}

function moved(annotation: JsonObject, offset: number): JsonObject {
  const storable = toStorableJson(annotation);
  if (!isJsonObject(storable)) return {};
  const places = PLACES.flatMap((key): [string, number][] => {
    const place = storable[key];
    return typeof place === 'number' ? [[key, place + offset]] : [];
  });
  return { ...storable, ...Object.fromEntries(places) };
}
