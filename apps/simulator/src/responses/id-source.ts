import { randomBytes } from 'node:crypto';

export type IdPrefix = 'resp' | 'msg' | 'fc' | 'rs' | 'call' | 'req';

/** Makes ids of the real API's form, e.g. `resp_68d9…`. No two are alike. */
export interface IdSource {
  next(prefix: IdPrefix): string;
}

/** Random ids, as the real API makes them: a repeated request gets the same answer under other ids. */
export const randomIds: IdSource = {
  next: (prefix) => `${prefix}_${randomBytes(prefix === 'call' ? 12 : 24).toString('hex')}`,
};
