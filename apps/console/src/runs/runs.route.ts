import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { runsFilterOf } from './runs-filter.js';

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: runsFilterOf,
  component: lazyRouteComponent(() => import('./runs-screen.js'), 'RunsScreen'),
});
