/** Bars on time itself, which hold on the machine that they were set on: two shared cores of 2026. */
import { type Bar, median } from "./Interleaved.ts"
import { sized } from "./Smoke.ts"

/**
 * Microseconds that one call takes of a core, without the time of other programs: the median of some rounds.
 */
const microsOf = (calls: number, call: () => unknown): number => {
  const times = sized(calls, 1)
  const rounds = Array.from({ length: sized(9, 3) }, () => {
    const before = process.cpuUsage()
    for (let count = 0; count < times; count++) call()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / times
  })
  return median(rounds.slice(2))
}

export const within = (
  what: string,
  limitMicros: number,
  calls: number,
  call: () => unknown
): Bar => {
  const micros = microsOf(calls, call)
  return { what, ratio: micros / limitMicros, limit: 1, micros: [limitMicros, micros] }
}
