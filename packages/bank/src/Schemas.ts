/**
 * Checks documents against the schemas of ISO 20022. The library that does it is loaded with the first schema:
 * a service that has none never loads it.
 */

/** Where a document breaks its schema; the message names elements and rules, and repeats no value. */
export interface SchemaFault {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** A schema that was read. */
export interface SchemaCheck {
  /** Empty where the document keeps the schema. */
  readonly faultsOf: (document: string) => ReadonlyArray<SchemaFault>
  /** Frees its memory, which is outside of JavaScript's. */
  readonly close: () => void
}

/**
 * The messages that are written and read, with the beginning of the SHA-256 of their official schema where
 * it is known. ISO 20022 (iso20022.org) offers them free of charge; they are no part of this package.
 */
export const schemaFiles: Readonly<Record<string, string | undefined>> = {
  "pain.008.001.08.xsd": "7edf4e4c",
  "pain.008.001.02.xsd": undefined,
  "pain.001.001.09.xsd": "de038b37",
  "pain.001.001.03.xsd": undefined
}

/** Reads a schema (XSD). Rejects where it is none. */
export const openSchema = async (schema: string): Promise<SchemaCheck> => {
  const { XmlDocument, XmlLibError, XsdValidator } = await import("libxml2-wasm")
  const parsed = XmlDocument.fromString(schema)
  const validator = XsdValidator.fromDoc(parsed)
  const check = (document: string): ReadonlyArray<SchemaFault> => {
    let read: InstanceType<typeof XmlDocument> | undefined
    try {
      read = XmlDocument.fromString(document)
      validator.validate(read)
      return []
    } catch (error) {
      if (!(error instanceof XmlLibError)) throw error
      return error.details.map(({ line, message }) => ({ line, message: withoutValues(message) }))
    } finally {
      read?.dispose()
    }
  }
  return {
    faultsOf: check,
    close: () => {
      validator.dispose()
      parsed.dispose()
    }
  }
}

/** Names of elements stay; a value may be an account or a name. */
const withoutValues = (message: string): string =>
  message
    .trim()
    .replaceAll(/\{[^}]*\}/gu, "")
    .replaceAll(/\b(value|attribute) '[^']*'/giu, "$1")
    .replaceAll(/'[^']*' is not (?=a valid|an element)/gu, "The value is not ")
