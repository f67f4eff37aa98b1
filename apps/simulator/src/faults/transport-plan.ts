import type { StreamFault } from './fault-schema.js';

/** Division of the body into chunks. */
export type Chunking =
  | { readonly kind: 'whole' }
  | { readonly kind: 'bytes'; readonly size: number; readonly pauseMs: number; readonly hasComments: boolean }
  /** Splits every multi-byte character. */
  | { readonly kind: 'inside_characters' };

/** Point at which a body stops before its end. */
export interface Stop {
  /** Number of whole frames before the stop. */
  readonly afterFrames: number;
  /** Whether half of the next frame is sent, too. */
  readonly isMidFrame: boolean;
  readonly then: 'end' | 'reset' | 'hang';
  /** For a hang: time until the body continues, in ms; null for never. */
  readonly resumesAfterMs: number | null;
}

/** Transport of the frames of one answer. */
export interface TransportPlan {
  readonly lineEnd: '\n' | '\r\n';
  /** `latin1` for frames of bytes, each a character. */
  readonly encoding: 'utf8' | 'latin1';
  readonly hasComments: boolean;
  readonly hasDoneMarker: boolean;
  /** Index of the frame with broken JSON, or null. */
  readonly brokenFrame: number | null;
  readonly chunking: Chunking;
  readonly stop: Stop | null;
}

/** Pause between chunks in ms, so that TCP does not join them. */
const PAUSE_BETWEEN_CHUNKS_MS = 2;

const PLAIN: TransportPlan = {
  lineEnd: '\n',
  encoding: 'utf8',
  hasComments: false,
  hasDoneMarker: false,
  brokenFrame: null,
  chunking: { kind: 'whole' },
  stop: null,
};

/** Combines all transport faults of one call; of two exclusive ones, the later wins. */
export function planTransport(faults: readonly StreamFault[], frameCount: number): TransportPlan {
  return faults.reduce((plan, fault) => addFault(plan, fault, frameCount), PLAIN);
}

function addFault(plan: TransportPlan, fault: StreamFault, frameCount: number): TransportPlan {
  const half = Math.floor(frameCount / 2);
  const last = Math.max(frameCount - 1, 0);
  switch (fault.kind) {
    case 'crlf':
      return { ...plan, lineEnd: '\r\n' };
    case 'comments':
      return { ...plan, hasComments: true };
    case 'done_marker':
      return { ...plan, hasDoneMarker: true };
    case 'split_utf8':
      return { ...plan, chunking: { kind: 'inside_characters' } };
    case 'split_events': {
      const chunking = { size: fault.bytes, pauseMs: PAUSE_BETWEEN_CHUNKS_MS, hasComments: false };
      return { ...plan, chunking: { kind: 'bytes', ...chunking } };
    }
    case 'slow_drip': {
      const chunking = { size: fault.bytes, pauseMs: fault.interval_ms, hasComments: fault.comments };
      return { ...plan, chunking: { kind: 'bytes', ...chunking } };
    }
    case 'invalid_json_event':
      return { ...plan, brokenFrame: fault.after_events ?? half };
    case 'truncate':
      return { ...plan, stop: stopAt(fault.after_events ?? last, frameCount, 'end', frameCount === 1) };
    case 'truncate_mid_event':
      return { ...plan, stop: stopAt(fault.after_events ?? half, frameCount, 'end', true) };
    case 'reset_mid_event':
      return { ...plan, stop: stopAt(fault.after_events ?? half, frameCount, 'reset', true) };
    case 'hang_mid_stream': {
      const stop = stopAt(fault.after_events ?? half, frameCount, 'hang', frameCount === 1);
      return { ...plan, stop: { ...stop, resumesAfterMs: fault.ms ?? null } };
    }
    case 'ignores_stream':
    case 'status_inside':
    case 'unknown_events':
    case 'sequence_numbers':
    case 'error_event':
      return plan;
  }
}

/** A stop always leaves at least one frame incomplete. */
function stopAt(afterFrames: number, frameCount: number, then: Stop['then'], isMidFrame: boolean): Stop {
  return {
    afterFrames: Math.min(afterFrames, Math.max(frameCount - 1, 0)),
    isMidFrame,
    then,
    resumesAfterMs: null,
  };
}
