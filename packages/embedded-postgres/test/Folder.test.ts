import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { EmbeddedError } from "../src/EmbeddedError.ts"
import * as Folder from "../src/Folder.ts"
import { folder } from "@quittance/testing/Programs"

const write = (name: string) => (partial: string) =>
  Effect.promise(() => fs.writeFile(path.join(partial, name), name))

describe("a folder that appears whole or not at all", () => {
  it.live("is not there after a failure, and nothing of it is left", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const full = new EmbeddedError({ problem: "no space left on device" })

      const error = yield* Folder.publish(path.join(parent, "target"), (partial) =>
        Effect.andThen(write("half")(partial), full)
      ).pipe(Effect.flip)

      assert.strictEqual(error, full)
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(parent)), [])
    })
  )

  it.live("is not there while it is made, nor after an interruption", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const target = path.join(parent, "target")
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Folder.publish(target, (partial) =>
        write("half")(partial).pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.never)
        )
      ).pipe(Effect.forkChild)
      yield* Deferred.await(begun)
      assert.isFalse(existsSync(target))

      yield* Fiber.interrupt(fiber)

      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(parent)), [])
    })
  )

  it.live("is whole when many make it at once, and stays what the first one made", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const target = path.join(parent, "target")
      const makers = Array.from({ length: 10 }, (_, maker) =>
        Folder.publish(target, (partial) =>
          Effect.andThen(write(`a${maker}`)(partial), write(`b${maker}`)(partial))
        )
      )

      yield* Effect.all(makers, { concurrency: "unbounded" })
      const made = yield* Effect.promise(() => fs.readdir(target))
      yield* Folder.publish(target, write("later"))

      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(parent)), ["target"])
      assert.strictEqual(made.length, 2)
      assert.strictEqual(made[0]!.slice(1), made[1]!.slice(1))
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(target)), made)
    })
  )

  it.live("is cleared of what killed processes have left, once that is old", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const names = [".quittance-partial-old", ".quittance-partial-new", "kept-old"]
      yield* Effect.promise(async () => {
        for (const name of names) await fs.mkdir(path.join(parent, name))
        for (const name of names.filter((name) => name.endsWith("old"))) {
          await fs.utimes(path.join(parent, name), 0, 0)
        }
      })

      yield* Folder.publish(path.join(parent, "target"), write("file"))

      const left = yield* Effect.promise(() => fs.readdir(parent))
      assert.sameMembers(left, [".quittance-partial-new", "kept-old", "target"])
    })
  )

  it.live("leads by its links to its own files once it is copied", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const [from, to] = [path.join(parent, "from"), path.join(parent, "to")]
      yield* Effect.promise(() => fs.mkdir(from))
      yield* write("library.so.1")(from)
      yield* Effect.promise(() => fs.symlink("library.so.1", path.join(from, "library.so")))

      yield* Folder.copy(from, to)
      yield* Folder.remove(from)

      const copied = path.join(to, "library.so")
      assert.strictEqual(yield* Effect.promise(() => fs.readlink(copied)), "library.so.1")
      assert.strictEqual(yield* Effect.promise(() => fs.readFile(copied, "utf8")), "library.so.1")
    })
  )
})
