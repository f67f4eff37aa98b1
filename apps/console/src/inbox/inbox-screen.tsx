import { ScreenHeader } from '../ui/screen-header.js';

export function InboxScreen() {
  return <ScreenHeader title="Inbox" />;
}
