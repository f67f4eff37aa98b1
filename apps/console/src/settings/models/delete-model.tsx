import { answerOf, api } from '../../api/client.js';
import type { Llm } from '../../api/types.js';
import type { Versioned } from '../../api/versioned.js';
import { DeleteButton } from '../parts/delete-button.js';
import { LLMS_KEY } from './model-queries.js';

export function DeleteModel({ stored: { value, version } }: { readonly stored: Versioned<Llm> }) {
  const params = { path: { id: value.id }, header: { 'If-Match': version } };
  return (
    <DeleteButton
      name={value.name}
      listKey={LLMS_KEY}
      onDelete={() => answerOf(api.DELETE('/api/llms/{id}/', { params }))}
    >
      Its key is deleted, too. A configuration that an agent uses cannot be deleted.
    </DeleteButton>
  );
}
