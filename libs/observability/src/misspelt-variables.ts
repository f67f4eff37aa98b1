import { describeMisspeltVariable, type AppConfig } from '#libs/config';
import type { Logger } from './logger.js';

/** A line for each variable that is set and read by nothing; its value may be a secret and stays out of the log. */
export function warnOfMisspeltVariables(misspelt: AppConfig['misspelt'], logger: Logger): void {
  for (const each of misspelt) logger.warn({ ...each }, describeMisspeltVariable(each));
}
