import { isJsonObject } from '#libs/kernel';
import type { Frame } from '../http/delivery.js';
import { encodeFrame } from './encode-frame.js';

const EXCEPTIONS: Readonly<Record<string, string>> = {
  rate_limit_error: 'throttlingException',
  invalid_request_error: 'validationException',
  overloaded_error: 'serviceUnavailableException',
};

/** Frames with the same events in Amazon's event stream; the bytes as a text of one character each. */
export function bedrockFrames(frames: readonly Frame[]): readonly Frame[] {
  return frames.map((frame) => {
    const events = [...frame.text.matchAll(/^data: (.*)$/gm)].map(([, event = '']) => encodeEvent(event));
    return { ...frame, text: Buffer.concat(events).toString('latin1') };
  });
}

function encodeEvent(text: string): Buffer {
  const event: unknown = JSON.parse(text);
  const error = isJsonObject(event) && event['type'] === 'error' ? event['error'] : null;
  if (!isJsonObject(error)) {
    const bytes = Buffer.from(text, 'utf8').toString('base64');
    return encodeFrame(headersOf('event', { ':event-type': 'chunk' }), JSON.stringify({ bytes, p: 'abcd' }));
  }
  const { type } = error;
  const exception = (typeof type === 'string' ? EXCEPTIONS[type] : undefined) ?? 'internalServerException';
  const said = JSON.stringify({ message: error['message'] });
  return encodeFrame(headersOf('exception', { ':exception-type': exception }), said);
}

function headersOf(kind: string, more: Readonly<Record<string, string>>) {
  return { ...more, ':content-type': 'application/json', ':message-type': kind };
}
