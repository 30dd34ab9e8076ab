/** The database has no texts with a NUL, so what is looked for with one is found nowhere. */
export const storable = (text: string): string => text.replaceAll("\0", "\u{FFFD}")
