// Preloaded into a process of the service: its wall clock is off by as many milliseconds as the file says that
// `CLOCK_OFFSET_FILE` names, read at the start and at each SIGUSR2. Timers and the monotonic clock are as they were.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_OFFSET_FILE;
const RealDate = Date;
let offsetMs = 0;

function readOffset() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

if (file) {
  readOffset();
  process.on('SIGUSR2', readOffset);
  globalThis.Date = ShiftedDate;
}
