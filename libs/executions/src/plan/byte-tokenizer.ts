import { utf8Length } from '#libs/kernel';
import type { ResolvedModel, Tokenizer } from '../ports/model-factory.js';
import type { StoredMessage } from '../ports/stored-context.js';

/** Maximum input, in bytes, of a first turn that is planned by bytes: far less than a history budget. */
const MAX_INPUT_BYTES = 4_000;

/**
 * Counts bytes as tokens: an upper bound, because a token has at least one byte. Messages with such a count are counted
 * again by the tokenizer of the turn that reads them.
 */
export class ByteTokenizer implements Tokenizer {
  readonly name = 'utf-8 bytes';
  private hasCounted = false;

  /** Whether a count was needed, so that an upper bound may not do. */
  get wasAsked(): boolean {
    return this.hasCounted;
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  count(text: string): number {
    this.hasCounted = true;
    return utf8Length(text);
  }
}

interface TurnToPlan {
  readonly input: string;
  readonly messages: readonly Pick<StoredMessage, 'role'>[];
}

/**
 * Plans without the model's tokenizer where bytes decide everything, as in the first turn of a short conversation: its
 * vocabulary takes 33 MB, and 0.33 s of CPU to load. Otherwise loads it and plans by tokens.
 *
 * @param plan pure; it may throw
 */
export async function planByBytesOrTokens<Model extends Pick<ResolvedModel, 'tokenizer'>, Plan>(
  turn: TurnToPlan,
  model: Model,
  plan: (model: Model) => Plan,
): Promise<Plan> {
  const bytes = new ByteTokenizer();
  const planned = isShortFirstTurn(turn)
    ? planUnlessAsked(bytes, () => plan({ ...model, tokenizer: bytes }))
    : null;
  if (planned !== null) return planned.plan;
  await model.tokenizer.load();
  return plan(model);
}

function isShortFirstTurn({ input, messages }: TurnToPlan): boolean {
  return messages.every(({ role }) => role === 'system') && utf8Length(input) <= MAX_INPUT_BYTES;
}

/** Null if a count was needed, whether the plan could be made or not. */
function planUnlessAsked<Plan>(bytes: ByteTokenizer, plan: () => Plan): { readonly plan: Plan } | null {
  try {
    const made = plan();
    return bytes.wasAsked ? null : { plan: made };
  } catch (error) {
    if (bytes.wasAsked) return null;
    throw error;
  }
}
