/** Bars on time itself, which hold on the machine that they were set on: two shared cores of 2026. */
import { type Bar, median } from "./Interleaved.ts"

/** Microseconds that one call takes of a core, whoever else is on it: the median of some rounds. */
const microsOf = (calls: number, call: () => unknown): number => {
  const rounds = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage()
    for (let count = 0; count < calls; count++) call()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / calls
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
