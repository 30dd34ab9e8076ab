/** The layouts that documents are set in: ours, and those of the operator's folder. */
import { Config, Effect, Schema } from "effect"
import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"

/** Grows whenever the same words would make other bytes. */
export const layoutVersion = 3

/** A layout of the operator's does what none may do. */
export class LayoutRefused extends Schema.TaggedError<LayoutRefused>()("LayoutRefused", {
  file: Schema.String,
  found: Schema.String
}) {
  override get message() {
    return `Take \`${this.found}\` out of ${this.file}: a layout shows what it is given, and asks nothing of the machine, its clock or a network.`
  }
}

export type Layouts = ReadonlyArray<readonly [name: string, source: string]>

const own = new URL("../layouts/", import.meta.url).pathname

/**
 * Evaluates text, runs other programs, or tells where and when it runs; a package would be fetched from a
 * network, and another folder's file is none of a document's.
 */
const forbidden =
  /\b(?:eval|plugin|sys|today|read|toml|yaml|csv|xml|cbor)\b(?=\s*[(.])|#?(?:import|include)\s+"(?:@|[^"]*\/)/u

/** What a layout may not do, as it stands there; `undefined` where there is nothing. */
export const refused = (source: string): string | undefined =>
  forbidden.exec(source.replaceAll(/\/\/.*$/gmu, ""))?.[0]

/** Every layout there is: what lies in `LAYOUTS_DIR` stands in for ours of the same name. */
export const layouts = Effect.gen(function* () {
  const folder = yield* Config.String("LAYOUTS_DIR").pipe(Config.withDefault(undefined))
  const found = new Map(inFolder(own))
  if (folder !== undefined) {
    for (const [name, source] of inFolder(folder)) {
      const what = refused(source)
      if (what !== undefined) {
        return yield* new LayoutRefused({ file: path.join(folder, `${name}.typ`), found: what })
      }
      found.set(name, source)
    }
  }
  const all: Layouts = [...found]
  return all
})

const inFolder = (folder: string): Layouts =>
  globSync("*.typ", { cwd: folder })
    .sort()
    .map((file) => [path.basename(file, ".typ"), readFileSync(path.join(folder, file), "utf8")])
