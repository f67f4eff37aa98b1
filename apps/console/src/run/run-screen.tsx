import { getRouteApi } from '@tanstack/react-router';
import { ScreenHeader } from '../ui/screen-header.js';

const route = getRouteApi('/runs/$id');

export function RunScreen() {
  const { id } = route.useParams();
  return <ScreenHeader title={id} />;
}
