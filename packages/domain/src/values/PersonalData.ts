/**
 * The words of the data map: what each column of each table holds about a person, and what happens to it
 * when that person is erased. Each area describes its own tables in `<Area>Data.ts`.
 */

/** Which retention clock decides for a row. Rows of `NONE` are about no person. */
export type DataClass =
  | "CONTRACT"
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
 * What an erasure does. `NULL`: the value is removed. `TOMBSTONE`: `{"erased":true}` stands in its place.
 * `TOKEN`: a random text takes its place. `DELETE`: the whole row goes. `KEEP`: it stays, since it names no
 * person by itself or the law asks for it.
 */
export type Erasure = "NULL" | "TOMBSTONE" | "TOKEN" | "DELETE" | "KEEP"

/** The person of a row: the customer or user in a column, or those on the policy in it. */
export interface DataSubject {
  readonly kind: "CUSTOMER" | "POLICY" | "USER"
  readonly column: string
}

/** One column, or one path of a JSON column. In a path `*` stands for any key or index. */
export interface PersonalColumn {
  readonly category: DataCategory
  readonly erase: Erasure
  /** The paths of a JSON column with personal data. What no path names has none. */
  readonly paths?: Readonly<Record<string, Omit<PersonalColumn, "paths">>>
}

/** One table. Each column stands either in `none` or in `personal`. */
export interface TableData {
  readonly class: DataClass
  readonly subject?: DataSubject
  /** Names of columns that hold nothing about a person but keys, states and dates; blanks between. */
  readonly none: string
  readonly personal?: Readonly<Record<string, PersonalColumn>>
}

export type DataMap = Readonly<Record<string, TableData>>

/** The customer, the policy or the user that a row belongs to, by the column that names it. */
export const customerIn = (column: string): DataSubject => ({ kind: "CUSTOMER", column })
export const policyIn = (column: string): DataSubject => ({ kind: "POLICY", column })
export const userIn = (column: string): DataSubject => ({ kind: "USER", column })

/** One column or path with personal data. */
export const personal = (
  category: DataCategory,
  erase: Erasure,
  paths?: PersonalColumn["paths"]
): PersonalColumn => ({ category, erase, ...(paths === undefined ? {} : { paths }) })
