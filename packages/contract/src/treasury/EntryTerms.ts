/** What the members of entries mean. */

export const entryTerms = {}
