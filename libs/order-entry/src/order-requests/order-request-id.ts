/** Maximum of PostgreSQL's `int`. */
export const MAX_ID = 2_147_483_647;
