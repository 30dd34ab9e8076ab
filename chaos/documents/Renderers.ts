/** Processes that render: found by whose children they are, and killed in the middle of a page. */
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { Draw } from "../Draw.ts"

/** What a renderer's command line has; each program that makes documents starts some. */
const program = "RenderProcess.ts"

/** Those that run on this machine and were started by one of these processes; empty where there is no /proc. */
const running = (parents: ReadonlySet<number>): ReadonlyArray<number> =>
  processes().filter((pid) => isRenderer(pid) && parents.has(parentOf(pid)))

const processes = (): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isSafeInteger)
  } catch {
    return []
  }
}

/** A process may be gone before its files are read. */
const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

const isRenderer = (pid: number): boolean => read(`/proc/${pid}/cmdline`).includes(program)

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/mu.exec(read(`/proc/${pid}/status`))?.[1])

/** How many were killed, and which have run. */
export interface Renderers {
  kills: number
  readonly seen: Set<number>
}

export const none = (): Renderers => ({ kills: 0, seen: new Set() })

/** So many files come between two kills: a renderer takes a while to come up, and is to die of a page. */
const filesOfKill = 3

/** Kills renderers of this process's children in the middle of what they do, until it is over. */
export const destroy = Effect.fn("Renderers.destroy")(function* (
  {
    draw,
    files,
    isOver
  }: { readonly draw: Draw; readonly files: () => number; readonly isOver: () => boolean },
  renderers: Renderers
) {
  let killedAt = 0
  while (!isOver()) {
    yield* Effect.promise(() => sleep(20 + draw.below(draw.one([20, 200]))))
    const programs = processes().filter((pid) => parentOf(pid) === process.pid)
    const alive = running(new Set(programs))
    for (const pid of alive) renderers.seen.add(pid)
    if (alive.length === 0 || files() - killedAt < filesOfKill) continue
    killedAt = files()
    try {
      process.kill(draw.one(alive), "SIGKILL")
      renderers.kills++
    } catch {
      // It has gone by itself.
    }
  }
})

/** Those seen that run though the programs that had started them are dead. */
export const left = ({ seen }: Renderers): ReadonlyArray<number> =>
  [...seen].filter((pid) => isRenderer(pid))
