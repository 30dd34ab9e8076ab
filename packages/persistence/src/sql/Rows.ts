/** A row without its NULL columns: the domain says "absent" by a missing key. */
export const withoutNulls = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
