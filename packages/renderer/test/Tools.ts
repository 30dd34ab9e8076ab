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

const separator = "\u001E"

/** What a command says of each of many files. One shell starts them all: that is a tenth of the time. */
export const saidOfEach = (
  files: ReadonlyArray<Uint8Array>,
  command: string,
  ...args: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-pdfs-"))
  try {
    const names = files.map((_, index) => `${index}.pdf`)
    for (const [index, bytes] of files.entries()) {
      writeFileSync(path.join(folder, names[index]!), bytes)
    }
    const one = [command, ...args].map((arg) => (arg === "FILE" ? "$file" : arg)).join(" ")
    const loop = `for file in ${names.join(" ")}; do ${one} || exit 1; printf '\\036'; done`
    return execFileSync("sh", ["-c", loop], {
      encoding: "utf8",
      cwd: folder,
      maxBuffer: 256 * 1024 * 1024,
      stdio: ["ignore", "pipe", "pipe"]
    })
      .split(separator)
      .slice(0, -1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The words of each file without any space, since a line may be broken everywhere. */
export const textsOf = (files: ReadonlyArray<Uint8Array>): ReadonlyArray<string> =>
  saidOfEach(files, "pdftotext", "-raw", "FILE", "-").map(spaceless)

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
