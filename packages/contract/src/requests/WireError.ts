/** How one error of the domain looks on the wire, `{ code, message, details }`, and back. */
import { Record, Schema, SchemaAST, SchemaTransformation, Struct } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** What the catalogue says about an error. */
export interface ErrorEntry {
  readonly code: string
  readonly status: number
  /** When it is answered, for readers of the catalogue. */
  readonly when: string
  /** The names of its members in `details`. */
  readonly details: ReadonlyArray<string>
  /** The error with details that show how it looks. */
  readonly example: Error
}

type ErrorClass<Self extends Error, Fields extends Schema.Struct.Fields> = Schema.Class<
  Self,
  Schema.Struct<Fields>,
  unknown
>

const entries = new WeakMap<object, ErrorEntry>()

/** The catalogue's entry of a schema that `wireError` made. */
export const entryOf = (schema: object): ErrorEntry | undefined => entries.get(schema)

/** The tag of the error that a schema is of, also where the framework has made a codec of it. */
export const tagOf = ({ ast }: Schema.Top): string | undefined =>
  SchemaAST.resolveIdentifier(SchemaAST.toEncoded(ast))

const bodyOf = <Self extends Error, Fields extends Schema.Struct.Fields>(
  error: ErrorClass<Self, Fields>,
  code: string
) =>
  Schema.Struct({
    code: Schema.Literal(code),
    message: Schema.String,
    details: Schema.Struct(Struct.omit(error.fields, ["_tag"]))
  })

/** The body of an error, where it is not encoded by the schema of its endpoint. */
export const bodyOfError = (error: Error, { code, details }: ErrorEntry) => ({
  code,
  message: error.message,
  details: Record.filter(
    // The class of an error with this tag has fields of these names.
    Struct.pick(error as unknown as Record<string, unknown>, details),
    (value) => value !== undefined
  )
})

const entryFor = <Self extends Error, Fields extends Schema.Struct.Fields>(
  error: ErrorClass<Self, Fields>,
  status: number,
  code: string,
  when: string,
  details: Details
): ErrorEntry => ({
  code,
  status,
  when,
  details: Object.keys(error.fields).filter((field) => field !== "_tag"),
  // The class checks what it is made of.
  example: new error(details as never) as unknown as Error
})

type Details = Readonly<Record<string, unknown>>

/** The wire form of an error class, with its status; `details` show how those look, if it has any. */
export const wireError = <Self extends Error, Fields extends Schema.Struct.Fields>(
  error: ErrorClass<Self, Fields>,
  status: number,
  code: string,
  when: string,
  details: Details = {}
) => {
  const entry = entryFor(error, status, code, when, details)
  const body = bodyOf(error, code)
  const schema = body
    .pipe(
      Schema.decodeTo(
        Schema.toType(error),
        // Details are the fields of the class, which the types cannot show.
        SchemaTransformation.transform<Self, typeof body.Type>({
          decode: ({ details }) => new error(details as never) as never,
          encode: (self) => bodyOfError(self, entry) as never
        })
      )
    )
    .pipe(
      Schema.annotateEncoded({ identifier: error.identifier, description: when }),
      HttpApiSchema.status(status)
    )
  entries.set(schema, entry)
  return schema
}

/** As `wireError`, with headers that repeat some of the details. */
export const wireErrorWithHeaders = <
  Self extends Error,
  Fields extends Schema.Struct.Fields,
  const Headers extends Record<string, (error: Self) => number | string>
>(
  error: ErrorClass<Self, Fields>,
  status: number,
  code: string,
  when: string,
  details: Details,
  headersOf: Headers,
  header: typeof Schema.Int | typeof Schema.String = Schema.Int
) => {
  const entry = entryFor(error, status, code, when, details)
  const body = bodyOf(error, code).pipe(
    Schema.annotate({ identifier: error.identifier, description: when }),
    HttpApiSchema.status(status)
  )
  const headers = Record.map(headersOf, () => header)
  const schema = Schema.toType(error).pipe(
    HttpApiSchema.encodeToWithHeaders(
      { body, headers },
      {
        // Details are the fields of the class, which the types cannot show.
        decode: ({ body }) => new error(body.details as never) as never,
        encode: (self) => ({
          body: bodyOfError(self as Error, entry) as never,
          headers: Record.map(headersOf, (headerOf) => headerOf(self as Self)) as never
        })
      }
    )
  )
  entries.set(schema, entry)
  return schema
}
