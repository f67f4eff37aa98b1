import { InvalidRequestError, pointerTo } from '../request-errors.js';
import { mostParts, type FormShape } from './form-shape.js';

export function brokenForm(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#', detail: 'must be whole multipart/form-data' }]);
}

export function missingBoundary(): InvalidRequestError {
  const detail = 'must name the boundary of its multipart/form-data';
  return new InvalidRequestError([{ header: 'Content-Type', detail }]);
}

export function tooManyParts(shape: FormShape): InvalidRequestError {
  const detail = `must have at most ${mostParts(shape)} parts`;
  return new InvalidRequestError([{ pointer: '#', detail }]);
}

/** Error for one part, or for the whole form where `name` is null. */
export function tooManyBytes(name: string | null, mostBytes: number): InvalidRequestError {
  const pointer = name === null ? '#' : pointerTo([name]);
  const detail = `must be at most ${mostBytes} bytes`;
  return new InvalidRequestError([{ pointer, detail }], { code: 'BODY_TOO_LARGE', kind: 'too_large' });
}

export function fieldFault(name: string, detail: string): InvalidRequestError {
  return new InvalidRequestError([{ pointer: pointerTo([name]), detail }]);
}
