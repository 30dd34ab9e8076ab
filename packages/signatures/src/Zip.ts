/**
 * Archives of files that are stored as they are: one list of files gives one archive, byte for byte. So an
 * archive in which anything was changed is not what its files give.
 */
import { crc32 } from "node:zlib"

export interface ZipFile {
  /** ASCII, with `/` between folders. */
  readonly name: string
  readonly bytes: Uint8Array
}

export interface ReadZip {
  readonly files: ReadonlyArray<ZipFile>
  /** Whether every byte of the archive is as `writeZip` writes it of these files. */
  readonly isExact: boolean
  /** Whether more files follow than an archive can have. */
  readonly hasMore: boolean
}

/** An archive counts its files in 16 bits. */
const maxFiles = 65_535

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const end = 0x06054b50
/** The version that readers need: files and folders, without compression. */
const version = 20
/** 1 January 1980, the first day that the format knows. */
const noDate = 0x21

/** What both headers of a file say: flags, method, time, date, sum, sizes, and the length of the name. */
const factsOf = ({ bytes, name }: ZipFile): Buffer => {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(version, 0)
  facts.writeUInt16LE(noDate, 8)
  facts.writeUInt32LE(crc32(bytes), 10)
  facts.writeUInt32LE(bytes.length, 14)
  facts.writeUInt32LE(bytes.length, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}

const number = (value: number): Buffer => {
  const four = Buffer.alloc(4)
  four.writeUInt32LE(value)
  return four
}

/** The archive of files, in their order; together they have less than 4 GiB, and are 65,535 at most. */
export const writeZip = (files: ReadonlyArray<ZipFile>): Buffer => {
  const parts: Array<Uint8Array> = []
  const directory: Array<Uint8Array> = []
  let at = 0
  for (const file of files) {
    const facts = factsOf(file)
    const name = Buffer.from(file.name, "latin1")
    const made = Buffer.from([version, 0])
    // Without comment, attributes and further disks.
    directory.push(number(centralHeader), made, facts, Buffer.alloc(10), number(at), name)
    parts.push(number(localHeader), facts, name, file.bytes)
    at += 4 + facts.length + name.length + file.bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const last = Buffer.alloc(18)
  last.writeUInt16LE(files.length, 4)
  last.writeUInt16LE(files.length, 6)
  last.writeUInt32LE(size, 8)
  last.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, ...directory, number(end), last])
}

/** The files of an archive as far as they can be read, one after the other from its start. */
export const readZip = (archive: Uint8Array): ReadZip => {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  const files: Array<ZipFile> = []
  let at = 0
  while (at + 30 <= bytes.length && bytes.readUInt32LE(at) === localHeader) {
    if (files.length === maxFiles) return { files: [], isExact: false, hasMore: true }
    const start = at + 30 + bytes.readUInt16LE(at + 26)
    const next = start + bytes.readUInt32LE(at + 18)
    if (next > bytes.length) break
    files.push({
      name: bytes.subarray(at + 30, start).toString("latin1"),
      bytes: bytes.subarray(start, next)
    })
    at = next
  }
  return { files, isExact: files.length > 0 && writeZip(files).equals(bytes), hasMore: false }
}
