/** Where the data of `DATA_DIR` lie: in it, or where the user of PostgreSQL can enter. */
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type Binaries, reaches } from "./Binaries.ts"
import { attempt } from "./EmbeddedError.ts"
import * as Folder from "./Folder.ts"
import * as Server from "./Server.ts"
import * as Template from "./Template.ts"

/** Puts a copy of the template in its place, or elsewhere with a link to it in its place. */
export const place = Effect.fn("Placement.place")(function* (
  binaries: Binaries,
  template: string,
  link: string
) {
  const { identity } = binaries
  const parent = path.dirname(link)
  yield* attempt(`Can't create ${parent}`, () => fs.mkdir(parent, { recursive: true }))
  if (!(yield* reaches(identity, parent))) {
    // The folder is ours to open for the user of PostgreSQL; those above it are not.
    yield* attempt(`Can't open ${parent}`, async () => {
      const { mode } = await fs.stat(parent)
      await fs.chmod(parent, mode | 0o011)
    })
  }
  const within = yield* reaches(identity, parent)
  const home = within ? link : yield* homeElsewhere(link)
  yield* Folder.publish(home, (partial) => Template.copy(template, partial, identity))
  if (!within) yield* retireOthers(binaries, home)
})

/**
 * Under a folder that only root can enter, as root's own home is, there can only be a link. Who
 * creates the link first decides where it leads; it is not changed any more.
 */
const homeElsewhere = (link: string) =>
  attempt(`Can't link ${link}`, async () => {
    const name = createHash("sha256").update(link).digest("hex").slice(0, 16)
    const folder = path.join("/var/lib/quittance", name, randomUUID())
    await fs.symlink(folder, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
    return fs.readlink(link)
  })

/** Deleting a `DATA_DIR` deletes the link alone: the folder behind it is then unused. */
const retireOthers = Effect.fnUntraced(function* (binaries: Binaries, home: string) {
  const parent = path.dirname(home)
  const names = yield* attempt(`Can't list ${parent}`, () => fs.readdir(parent))
  const others = names.filter((name) => !name.startsWith(".") && name !== path.basename(home))
  yield* Effect.forEach(others, (name) => Server.retire(binaries, path.join(parent, name)), {
    discard: true
  })
})
