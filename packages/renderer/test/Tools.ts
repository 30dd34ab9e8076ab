/** Debian's tools that judge PDF files: poppler-utils and qpdf. Where they are not installed, nothing is judged. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

const has = (tool: string): boolean => {
  try {
    execFileSync("which", [tool], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Whether none of these is missing. */
export const installed = (...tools: ReadonlyArray<string>): boolean => tools.every(has)

/** What a command says of a file, which is named where `FILE` stands; it fails when the command does. */
export const said = (
  bytes: Uint8Array,
  command: string,
  ...args: ReadonlyArray<string>
): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-pdf-"))
  try {
    const file = path.join(folder, "document.pdf")
    writeFileSync(file, bytes)
    return execFileSync(
      command,
      args.map((arg) => (arg === "FILE" ? file : arg)),
      { encoding: "utf8", cwd: folder, stdio: ["ignore", "pipe", "pipe"] }
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The words of a file without any space, since a line may be broken everywhere. */
export const textOf = (bytes: Uint8Array): string =>
  spaceless(said(bytes, "pdftotext", "-raw", "FILE", "-"))

export const spaceless = (text: string): string => text.replaceAll(/\s/gu, "")

/** A file that lies in another, by its name. */
export const attached = (bytes: Uint8Array, name: string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-attached-"))
  try {
    said(bytes, "pdfdetach", "-saveall", "-o", folder, "FILE")
    return readFileSync(path.join(folder, name), "utf8")
  } finally {
    rmSync(folder, { recursive: true })
  }
}
