/** ISO's schemas where they are there: they are not ours to keep in the repository. */
import { existsSync, readFileSync } from "node:fs"
import { openSchema, type SchemaCheck } from "../src/Schemas.ts"

const folder =
  process.env["BANK_SCHEMAS_DIR"] ??
  new URL("../../../../shared/samples/iso20022", import.meta.url).pathname

/** Whether there are schemas to check against on this machine. */
export const haveSchemas = existsSync(`${folder}/pain.008.001.08.xsd`)

const open = new Map<string, Promise<SchemaCheck>>()

/** The check of a message, such as `pain.008.001.08`. */
export const schemaOf = (message: string): Promise<SchemaCheck> => {
  const known = open.get(message)
  if (known !== undefined) return known
  const check = openSchema(readFileSync(`${folder}/${message}.xsd`, "utf8"))
  open.set(message, check)
  return check
}

/** What the schema says against a document; nothing where the schema isn't there. */
export const schemaFaults = async (message: string, document: string) =>
  haveSchemas ? (await schemaOf(message)).faultsOf(document) : []
