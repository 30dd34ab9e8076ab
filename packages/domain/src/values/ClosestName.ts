/** The known name that is closest to an unknown one. */

/** The candidate that is fewest slips away, where they are few for its length; else `undefined`. */
export const closestName = (
  name: string,
  candidates: ReadonlyArray<string>
): string | undefined => {
  const asked = name.toLowerCase().slice(0, longest)
  let best: { readonly candidate: string; readonly slips: number } | undefined
  for (const candidate of candidates) {
    const slips = slipsBetween(asked, candidate.toLowerCase())
    if (slips * 3 <= candidate.length && slips < (best?.slips ?? Infinity)) {
      best = { candidate, slips }
    }
  }
  return best?.candidate
}

/** What to do about a name that is not among the known ones. */
export const unknownName = (
  name: string,
  known: ReadonlyArray<string>,
  pointer: string
): string => {
  const meant = closestName(name, known)
  return meant === undefined
    ? `Add ${name} to ${pointer}.`
    : `Add ${name} to ${pointer}, or write ${meant} if that is what it means.`
}

/** Longer than any name of ours, so that what a stranger sends costs no more than that. */
const longest = 80

/** How many letters have to be put in, left out, replaced or swapped with the next (Damerau). */
const slipsBetween = (a: string, b: string): number => {
  let [before, row] = [[] as Array<number>, Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let index = 0; index < a.length; index++) {
    const next = [index + 1]
    for (let at = 0; at < b.length; at++) {
      const replaced = row[at]! + (b[at] === a[index] ? 0 : 1)
      const swapped =
        index > 0 && at > 0 && b[at] === a[index - 1] && b[at - 1] === a[index]
          ? before[at - 1]! + 1
          : Infinity
      next.push(Math.min(replaced, swapped, row[at + 1]! + 1, next[at]! + 1))
    }
    ;[before, row] = [row, next]
  }
  return row.at(-1)!
}
