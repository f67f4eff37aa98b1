import { bind } from './bind.js';
import { follow, type FollowOptions } from './events/follow.js';
import type { Resource } from './operations.js';
import { pathOf } from './path-of.js';
import { DOCUMENTS } from './resources.js';
import type { Transport } from './transport.js';
import type { DocumentEvent } from './types.js';

export interface Documents extends Resource<typeof DOCUMENTS> {
  /** Yields how a document is taken in, until it is ready, has failed or is deleted. */
  follow(
    id: Parameters<Resource<typeof DOCUMENTS>['get']>[0],
    options?: FollowOptions,
  ): AsyncGenerator<DocumentEvent, void, undefined>;
}

export function documentsOf(transport: Transport): Documents {
  return {
    ...bind(DOCUMENTS, transport),
    follow: (id, options) => {
      const path = pathOf('/api/documents/{id}/events/', [id]);
      const isLast = ({ event }: DocumentEvent): boolean => event === 'end';
      return follow<DocumentEvent>(transport, { path, isNumbered: false, isLast }, options);
    },
  };
}
