/** A row without its NULL columns: the domain says "absent" by a missing key. */
export const present = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
