import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { API_CONFIG } from '../api.tokens.js';
import { HeldRequests } from '../http/held-requests.js';

/** The submits of this process that wait for their results. */
@Injectable()
export class WaitingSubmits extends HeldRequests {
  constructor(@Inject(API_CONFIG) { waitingSubmits }: Pick<AppConfig, 'waitingSubmits'>) {
    super(waitingSubmits, { code: 'WAIT_LIMIT', things: 'requests that wait for a result' });
  }
}
