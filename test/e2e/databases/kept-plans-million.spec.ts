import { readsNoMoreByKeptPlans } from './kept-plans.suite.js';

readsNoMoreByKeptPlans(1_000_000, 1_800_000);
