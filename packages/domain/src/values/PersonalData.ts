/**
 * The words of the data map: what each column of each table holds about a person, and what happens to it
 * when that person is erased. Each area describes its own tables in `<Area>Data.ts`.
 */

/**
 * Which retention clock decides for a row. `PERSON`: the longest of all, since contracts, invoices and mandates
 * name the same person. Rows of `NONE` are about no person.
 */
export type DataClass =
  | "CONTRACT"
  | "PERSON"
  | "ACCOUNTING"
  | "MANDATE"
  | "CONSENT"
  | "PRIVACY_REQUEST"
  | "UPLOAD"
  | "TECHNICAL"
  | "AUDIT"
  | "ACCOUNT"
  | "NONE"

export type DataCategory =
  | "IDENTITY"
  | "CONTACT"
  | "RISK"
  | "MONEY"
  | "HEALTH"
  | "TECHNICAL"
  | "FREE_TEXT"

/**
 * What an erasure does. `NULL`: the value is removed. `TOMBSTONE`: what the paths of a JSON column name is
 * removed, and all else in it stays. `TOKEN`: a random text takes its place. `DESTROY`: the content at this
 * address is destroyed, where no other row has it. `DELETE`: the whole row goes. `KEEP`: it stays, since it
 * names no person by itself or the law asks for it.
 */
export type Erasure = "NULL" | "TOMBSTONE" | "TOKEN" | "DESTROY" | "DELETE" | "KEEP"

/**
 * The person of a row: the customer or user in a column, those on the policy in it, or the customer or policy
 * whose identifier the column mentions somewhere.
 */
export type DataSubject =
  | { readonly kind: "CUSTOMER" | "POLICY" | "USER" | "MENTION"; readonly column: string }
  /** Those of the row of another table whose `key` the column has. */
  | {
      readonly kind: "THROUGH"
      readonly column: string
      readonly table: string
      readonly key: string
    }

/** One column, or one path of a JSON column. In a path `*` stands for any key or index. */
export interface PersonalColumn {
  readonly category: DataCategory
  readonly erase: Erasure
  /** Whether it is a list of what a change has set at which paths of the state. */
  readonly isPatch?: true
  /** The paths of a JSON column with personal data. What no path names has none. */
  readonly paths?: Readonly<Record<string, Omit<PersonalColumn, "paths">>>
}

/** One table. Each column stands either in `none` or in `personal`. */
export interface TableData {
  readonly class: DataClass
  readonly subject?: DataSubject
  /** The class of those rows that have a value in a column. */
  readonly rowsWith?: { readonly column: string; readonly class: DataClass }
  /** The column that says which customer a row of a policy with several persons is about. */
  readonly own?: string
  /** What columns of an erased row are set to; `NOW` is the instant of the erasure. */
  readonly marks?: Readonly<Record<string, string>>
  /** Names of columns that hold nothing about a person but keys, states and dates; blanks between. */
  readonly none: string
  readonly personal?: Readonly<Record<string, PersonalColumn>>
}

export type DataMap = Readonly<Record<string, TableData>>

/** The customer, the policy or the user that a row belongs to, by the column that names it. */
export const customerIn = (column: string): DataSubject => ({ kind: "CUSTOMER", column })
export const policyIn = (column: string): DataSubject => ({ kind: "POLICY", column })
export const throughTable = (column: string, table: string, key = "id"): DataSubject => ({
  kind: "THROUGH",
  column,
  table,
  key
})
export const mentionedIn = (column: string): DataSubject => ({ kind: "MENTION", column })
export const userIn = (column: string): DataSubject => ({ kind: "USER", column })

/** One column or path with personal data. */
export const personal = (
  category: DataCategory,
  erase: Erasure,
  paths?: PersonalColumn["paths"]
): PersonalColumn => ({ category, erase, ...(paths === undefined ? {} : { paths }) })
