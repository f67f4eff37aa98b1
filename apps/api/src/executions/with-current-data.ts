import type { ExecutionView } from '#libs/payloads';
import { domains } from '../domains.js';

/** Converts the data of a result to the domains' current format, since an older release may have stored it (S2-23). */
export function withCurrentData<View extends Pick<ExecutionView, 'result'>>(view: View): View {
  const { result } = view;
  if (result === null) return view;
  const { message } = result;
  const data = domains.messageData.current(message.data);
  return { ...view, result: { ...result, message: { ...message, data } } };
}
