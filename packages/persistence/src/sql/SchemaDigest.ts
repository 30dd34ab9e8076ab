/** Names a schema by its sources, for programs that keep a migrated database and must notice a stale one. */
import { dataTables } from "@quittance/domain/privacy/DataSubjects"
import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"

const sources = path.join(import.meta.dirname, "..")

/** Beside the migrations themselves: their list, what they call, and what makes the function that erases. */
const shared = [
  "migrations",
  "privacy/EraseFunction",
  "privacy/EraseJson",
  "privacy/EraseTables",
  "sql/Roles",
  "sql/TenantTable"
]

/**
 * A digest of everything that decides what `Migrate.run` makes of an empty database, in hexadecimal.
 * Two programs with the same digest make the same schema. Rejects where the sources can't be read.
 */
export const schemaDigest = async (): Promise<string> => {
  const extension = path.extname(import.meta.filename)
  const migrations = (await fs.readdir(path.join(sources, "migrations"))).sort()
  const files = [
    ...migrations.map((name) => `migrations/${name}`),
    ...shared.map((name) => name + extension)
  ]
  const hash = createHash("sha256").update(JSON.stringify([...dataTables]))
  for (const file of files) {
    hash.update(`\0${file}\0`).update(await fs.readFile(path.join(sources, file)))
  }
  return hash.digest("hex")
}
