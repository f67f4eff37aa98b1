import { isJsonObject, toStorableJson, type JsonObject } from '#libs/kernel';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { readObjects, readText } from '../model-calls/read-json.js';
import { readPartText } from './from-responses-output.js';

/** Of one answer. */
const MOST_ANNOTATIONS = 200;
/** Of all of them together as JSON, in characters; what does not fit is left out. */
const MOST_CHARS = 65_536;

/** Places in a text, in characters of Unicode. */
const PLACES = ['start_index', 'end_index', 'index'] as const;

/**
 * What the provider says of places in an answer, such as `url_citation`, `file_citation` and `container_file_citation`
 * (S2-23), whatever its type is, as far as there is room. Places count from the beginning of the whole text, of which the
 * parts make a line each.
 */
export function readAnnotations(output: readonly JsonObject[]): JsonObject[] {
  let [offset, room] = [0, MOST_CHARS];
  const annotations: JsonObject[] = [];
  for (const part of output.flatMap((item) => readObjects(item, 'content'))) {
    const text = readPartText(part);
    if (text === '') continue;
    for (const given of readObjects(part, 'annotations')) {
      const annotation = moved(given, offset);
      const length = JSON.stringify(annotation).length;
      if (readText(annotation, 'type') === undefined || length > room) continue;
      if (annotations.length >= MOST_ANNOTATIONS) return annotations;
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
