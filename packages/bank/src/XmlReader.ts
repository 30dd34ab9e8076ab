/**
 * Reads a message of ISO 20022 piece by piece, in constant memory. Containers, such as a statement, are told
 * when they open and close; each other element within one is handed over as a small tree and forgotten.
 * Names are local names: the prefix and the version of the namespace do not matter.
 */
import { type BankFileFault, InvalidBankFile } from "@quittance/domain/payments/BankFile"
import { SaxesParser } from "saxes"

export interface XmlNode {
  /** Without a prefix. */
  readonly name: string
  text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<XmlNode>
}

/** What one kind of message is made of. */
export interface MessageReader<Event> {
  /** Names of the elements within the message that are told as containers. */
  readonly containers: ReadonlySet<string>
  readonly open: (container: string) => void
  /** An element within a container, whole. */
  readonly record: (node: XmlNode, container: string) => void
  readonly close: (container: string) => void
  /** What was read since it was last asked. */
  readonly take: () => ReadonlyArray<Event>
}

/** Makes the reader of a message by its root element; `undefined` for one that is not known. */
export type ReaderOf<Event> = (root: string, namespace: string) => MessageReader<Event> | undefined

const deepest = 40
/** Characters of one text, comment or tag; remittance information and addresses are far shorter. */
const longest = 1_000_000

const none: ReadonlyArray<never> = []

/** Reads one document; texts may be cut anywhere. */
export class XmlReader<Event> {
  readonly #readerOf: ReaderOf<Event>
  readonly #parser = new SaxesParser()
  /** The containers that are open, the message's root first. */
  readonly #containers: Array<string> = []
  /** The elements that are open within the tree of a record. */
  readonly #nodes: Array<XmlNode> = []
  #reader: MessageReader<Event> | undefined
  /** What messages told that have ended: an envelope may hold several. */
  #told: ReadonlyArray<Event> = none
  #namespace = ""
  #depth = 0
  #seenAt = 0

  constructor(readerOf: ReaderOf<Event>) {
    this.#readerOf = readerOf
    this.#listen()
  }

  /**
   * What the next piece of the document tells.
   *
   * @throws InvalidBankFile where it is no such document
   */
  write(text: string): ReadonlyArray<Event> {
    this.#run(() => this.#parser.write(text))
    if (this.#parser.position - this.#seenAt > longest) this.#refuse("TOO_LONG")
    return this.#take()
  }

  /**
   * What the end of the document tells.
   *
   * @throws InvalidBankFile where the document is not complete, or no message that is known
   */
  end(): ReadonlyArray<Event> {
    this.#run(() => this.#parser.close())
    if (this.#reader === undefined) return this.#refuse("UNKNOWN_MESSAGE")
    return this.#take()
  }

  #take(): ReadonlyArray<Event> {
    const taken = this.#reader?.take() ?? none
    if (this.#told.length === 0) return taken
    const all = [...this.#told, ...taken]
    this.#told = none
    return all
  }

  #run(read: () => unknown): void {
    try {
      read()
    } catch (error) {
      if (error instanceof InvalidBankFile) throw error
      // The parser's message repeats what it read, which may be a name or an account.
      this.#refuse("NOT_XML")
    }
  }

  #refuse(reason: BankFileFault): never {
    throw new InvalidBankFile({ reason, line: this.#parser.line })
  }

  #listen(): void {
    const parser = this.#parser
    parser.on("doctype", () => this.#refuse("DOCTYPE"))
    parser.on("comment", () => this.#seen())
    parser.on("processinginstruction", () => this.#seen())
    parser.on("opentag", ({ attributes, name }) => {
      this.#seen()
      this.#depth += 1
      if (this.#depth > deepest) this.#refuse("TOO_DEEP")
      this.#open(localName(name), attributes)
    })
    parser.on("text", (text) => this.#text(text))
    parser.on("cdata", (text) => this.#text(text))
    parser.on("closetag", ({ name }) => {
      this.#seen()
      this.#depth -= 1
      this.#close(localName(name))
    })
  }

  #seen(): void {
    this.#seenAt = this.#parser.position
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    const node = this.#nodes.at(-1)
    if (node === undefined) {
      const reader = this.#reader
      if (reader === undefined || this.#containers.length === 0) {
        return this.#openRoot(name, attributes)
      }
      if (reader.containers.has(name)) {
        this.#containers.push(name)
        return reader.open(name)
      }
    }
    const opened: XmlNode = { name, text: "", attributes, children: [] }
    node?.children.push(opened)
    this.#nodes.push(opened)
  }

  /** The message may stand in a `Document` and in an envelope around that. */
  #openRoot(name: string, attributes: Readonly<Record<string, string>>): void {
    for (const attribute in attributes) {
      const value = attributes[attribute]!
      if (attribute.startsWith("xmlns") && value.includes("20022")) this.#namespace = value
    }
    const reader = this.#readerOf(name, this.#namespace)
    if (reader === undefined) return
    if (this.#reader !== undefined) this.#told = this.#take()
    this.#reader = reader
    this.#containers.push(name)
    reader.open(name)
  }

  #text(text: string): void {
    this.#seen()
    const node = this.#nodes.at(-1)
    if (node !== undefined) node.text += text
  }

  #close(name: string): void {
    const node = this.#nodes.pop()
    const container = this.#containers.at(-1)
    if (container === undefined) return
    if (node === undefined) {
      if (container !== name) return
      this.#containers.pop()
      return this.#reader!.close(name)
    }
    if (this.#nodes.length === 0) this.#reader!.record(node, container)
  }
}

const localName = (name: string): string => {
  const colon = name.indexOf(":")
  return colon === -1 ? name : name.slice(colon + 1)
}

/** The first child of a name. */
export const child = (node: XmlNode | undefined, name: string): XmlNode | undefined => {
  if (node === undefined) return undefined
  for (const found of node.children) if (found.name === name) return found
  return undefined
}

/** All children of a name. */
export const childrenOf = (node: XmlNode | undefined, name: string): ReadonlyArray<XmlNode> =>
  node === undefined ? none : node.children.filter((found) => found.name === name)

/** The text at a path of names; `undefined` where there is no element or no text. */
export const textAt = (
  node: XmlNode | undefined,
  ...path: ReadonlyArray<string>
): string | undefined => {
  let found = node
  for (const name of path) found = child(found, name)
  if (found === undefined) return undefined
  const text = found.text.trim()
  return text === "" ? undefined : text
}
