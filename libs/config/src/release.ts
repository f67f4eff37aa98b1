/** Version of this release, as in `package.json`. */
export const RELEASE = '0.1.0';
