export function postgresAccount(): { readonly uid: number; readonly gid: number } | null;
