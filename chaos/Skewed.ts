/** Loaded before a worker: its own clock is wrong by `CHAOS_SKEW_HOURS`. */
const ahead = Math.round(Number(process.env.CHAOS_SKEW_HOURS ?? 0) * 3_600_000)
const wall = Date.now.bind(Date)

class SkewedDate extends Date {
  static override now(): number {
    return wall() + ahead
  }
  constructor(...given: ReadonlyArray<unknown>) {
    // Whatever a date is made from, only that from nothing asks the clock.
    super(...((given.length === 0 ? [wall() + ahead] : given) as []))
  }
}

globalThis.Date = SkewedDate as DateConstructor
