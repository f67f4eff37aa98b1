import { describeMisspeltVariable, type AppConfig } from '#libs/config';
import type { Logger } from './logger.js';

/** Logs a warning for each variable that is set but never read, without its value, which may be a secret. */
export function warnOfMisspeltVariables(misspelt: AppConfig['misspelt'], logger: Logger): void {
  for (const each of misspelt) logger.warn({ ...each }, describeMisspeltVariable(each));
}
