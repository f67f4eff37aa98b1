import { randomBytes } from 'node:crypto';

export type IdPrefix = 'resp' | 'msg' | 'fc' | 'rs' | 'call' | 'req';

/** Generates unique ids in the real API's format, e.g. `resp_68d9…`. */
export interface IdSource {
  next(prefix: IdPrefix): string;
}

/** Random ids, as in the real API: a repeated request gets the same answer with other ids. */
export const randomIds: IdSource = {
  next: (prefix) => `${prefix}_${randomBytes(prefix === 'call' ? 12 : 24).toString('hex')}`,
};
