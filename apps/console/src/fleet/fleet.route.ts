import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.js';
import { fleetSearchOf } from './fleet-search.js';

export const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fleet',
  validateSearch: fleetSearchOf,
  component: lazyRouteComponent(() => import('./fleet-screen.js'), 'FleetScreen'),
});
