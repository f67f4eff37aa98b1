import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { Busboy, type BusboyEvents, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { brokenForm, missingBoundary, tooManyBytes, tooManyParts } from './form-faults.js';
import { FormReading } from './form-reading.js';
import {
  mostFormBytes,
  mostParts,
  PART_BYTES,
  type Form,
  type FormFile,
  type FormShape,
} from './form-shape.js';

type FieldListener = BusboyEvents['field'];
type FileListener = BusboyEvents['file'];

/** Maximum headers of one part; clients send up to three. */
const PART_HEADERS = 16;

/**
 * Streams `multipart/form-data` (RFC 7578): `keepFile` reads the file at its own pace, to the end or until it throws; text
 * fields may come before or after it. Throws an `InvalidRequestError` that names the faulty part, or the error of
 * `keepFile`, once `keepFile` has ended. The rest of the request is discarded.
 */
export async function readForm<Kept>(
  request: IncomingMessage,
  shape: FormShape,
  keepFile: (file: FormFile) => Promise<Kept>,
): Promise<Form<Kept>> {
  const formBytes = Number(request.headers['content-length'] ?? Infinity);
  if (Number.isFinite(formBytes) && formBytes > mostFormBytes(shape))
    throw tooManyBytes(shape.file.name, shape.file.mostBytes);
  const parser = openParser(request.headers, shape);
  const reading = new FormReading(shape, Math.min(formBytes, shape.file.mostBytes), keepFile);
  const onField: FieldListener = (name, value, _isNameCut, isCut) => reading.addField(name, value, isCut);
  const onFile: FileListener = (name, file, fileName, _encoding, type) => {
    // The parser also emits its error on the file, where an unhandled one would crash the process.
    file.on('error', () => file.destroy());
    reading.beginFile(name, file, fileName || null, type);
  };
  parser.on('field', onField);
  parser.on('file', onFile);
  parser.on('partsLimit', () => reading.fail(tooManyParts(shape)));
  parser.on('error', () => reading.fail(brokenForm()));
  parser.on('finish', () => reading.end());
  const count = ({ length }: Buffer): void => reading.countBytes(length);
  request.on('data', count);
  const stopWatching = finished(request, { writable: false }, (error) => {
    if (error) reading.fail(error);
  });
  request.pipe(parser);
  try {
    return await reading.form;
  } finally {
    stopWatching();
    request.unpipe(parser);
    request.off('data', count);
    request.resume();
  }
}

function openParser(headers: IncomingHttpHeaders, shape: FormShape): BusboyInstance {
  const fieldSize = Math.max(1, ...Object.values(shape.fields));
  const limits = { fieldSize, parts: mostParts(shape), headerPairs: PART_HEADERS, headerSize: PART_BYTES };
  try {
    // Unknown part names and files without a name are handled by `FormReading`.
    return new Busboy({ headers: headers as BusboyHeaders, limits });
  } catch {
    throw missingBoundary();
  }
}
