import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { sessionsFilterOf } from './sessions-filter.js';

export const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: sessionsFilterOf,
  component: lazyRouteComponent(() => import('./sessions-screen.js'), 'SessionsScreen'),
});
