import { WaitNotice, type Wait, type WaitEnding } from '#libs/agent-core';

/** Records each wait, the milliseconds until it is shown, and its ending. */
export class RecordingWaits extends WaitNotice {
  readonly begun: (Wait & { readonly afterMs: number; readonly ending: WaitEnding | null })[] = [];

  override begin(wait: Wait, afterMs = 0): (ending: WaitEnding) => void {
    const place = this.begun.push({ ...wait, afterMs, ending: null }) - 1;
    return (ending) => {
      const noted = this.begun[place];
      if (noted?.ending === null) this.begun[place] = { ...noted, ending };
    };
  }
}
