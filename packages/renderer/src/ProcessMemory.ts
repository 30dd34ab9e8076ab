/** How much memory another process has, as Linux tells it; other systems are not asked. */
import { Effect } from "effect"
import { readFile } from "node:fs/promises"

/** Resident memory in bytes; 0 where the process has ended, or the system does not say. */
const residentMemory = (pid: number): Effect.Effect<number> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/status`, "utf8").then(
      (text) => Number(/^VmRSS:\s+(\d+) kB$/mu.exec(text)?.[1] ?? 0) * 1024,
      () => 0
    )
  )

/** Ends when a process has more than so many bytes. It looks four times a second, not at once. */
export const outgrown = Effect.fn("ProcessMemory.outgrown")(function* (pid: number, most: number) {
  do yield* Effect.sleep("250 millis")
  while ((yield* residentMemory(pid)) <= most)
})
