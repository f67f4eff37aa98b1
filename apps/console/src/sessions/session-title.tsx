import type { Session } from '../api/types.js';
import { ClippedText } from '../ui/clipped-text.js';

/** Title of a session, or why it has none. */
export function SessionTitle({ session }: { readonly session: Pick<Session, 'title' | 'title_pending'> }) {
  if (session.title !== null) return <ClippedText text={session.title} />;
  return <span className="text-muted">{session.title_pending ? 'Being named …' : 'Without a title'}</span>;
}
