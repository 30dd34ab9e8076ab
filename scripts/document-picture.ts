/**
 * Draws the page that the README shows: the invoice of the motor product's own example.
 * `node --conditions=@quittance/source scripts/document-picture.ts`; it takes poppler's `pdftoppm`.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))
const picture = join(root, "docs/invoice")
const folder = mkdtempSync(join(tmpdir(), "quittance-picture-"))

/** Dots for an inch: words can be read, and the file stays small. */
const resolution = "72"

try {
  const preview = ["documents", "preview", join(root, "products/motor-fr.json")]
  execFileSync(
    process.execPath,
    [
      "--conditions=@quittance/source",
      join(root, "apps/cli/src/main.ts"),
      ...preview,
      "--template",
      "invoice-fr",
      "--out",
      folder
    ],
    { stdio: "inherit" }
  )
  const file = join(folder, "motor-fr-INVOICE.pdf")
  execFileSync("pdftoppm", ["-png", "-singlefile", "-r", resolution, file, picture])
} finally {
  rmSync(folder, { recursive: true })
}
