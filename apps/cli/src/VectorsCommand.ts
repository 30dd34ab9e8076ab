/** `quittance vectors`: runs files of test vectors against the code. */
import { Console, Effect, FileSystem, Runtime, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Vectors from "./Vectors.ts"

/** The failures are printed already; what is left to say is the exit code. */
class VectorsFailed extends Schema.TaggedError<VectorsFailed>()("VectorsFailed", {}) {
  override readonly [Runtime.errorReported] = false
}

export const vectorsCommand = Command.make(
  "vectors",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("Files of the shape { topic, cases: [{ id, input, expected }] }"),
      Argument.variadic({ min: 1 })
    )
  },
  Effect.fn(function* ({ files }) {
    const fs = yield* FileSystem.FileSystem
    // A file that can't be read is a file without vectors, and fails as one.
    const read = (name: string) =>
      fs.readFileString(name).pipe(
        Effect.orElseSucceed(() => ""),
        Effect.map((text) => ({ name, text }))
      )
    const results = Vectors.run(yield* Effect.forEach(files, read))
    yield* Console.log(Vectors.format(results))
    if (results.some(({ passed }) => !passed)) return yield* new VectorsFailed()
  })
).pipe(Command.withDescription("Run test vectors; ends with `N passed, N failed`"))
