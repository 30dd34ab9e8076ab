/** Programs as one file each: a worker that is killed within seconds has not spent them on finding modules. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

/** What a module reads beside itself it still finds there. */
const inPlace = {
  name: "in-place",
  transform: {
    filter: { code: "import.meta.url" },
    handler: (code: string, id: string) =>
      code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
  }
}

/** The file that a program is bundled to, until the scope ends; the program is a path from this folder. */
export const make = Effect.fn("Bundle.make")((program: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const bundle = await rolldown({
        input: fileURLToPath(new URL(program, import.meta.url)),
        platform: "node",
        plugins: [inPlace],
        resolve: { conditionNames: ["@quittance/source", "node", "import", "default"] },
        logLevel: "silent"
      })
      const file = path.join(os.tmpdir(), `quittance-chaos-${randomUUID()}.mjs`)
      await bundle.write({ file, format: "esm", codeSplitting: false })
      await bundle.close()
      return file
    }),
    (file) => Effect.promise(() => fs.rm(file))
  )
)
