/** What is derived from a day alone, worked out once: days come up again and again. */

/** Days of a few centuries: what is asked for in practice stays far below. */
const rememberedDays = 100_000

/** The same function, which keeps what it has answered. */
export const remember = <A>(compute: (day: number) => A): ((day: number) => A) => {
  const known = new Map<number, A>()
  return (day) => {
    const found = known.get(day)
    if (found !== undefined) return found
    const value = compute(day)
    if (known.size >= rememberedDays) known.clear()
    known.set(day, value)
    return value
  }
}
