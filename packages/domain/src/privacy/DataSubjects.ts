/** The tables of the data map, and whose their rows are in the end. */
import { dataMaps } from "../PersonalData.ts"
import type { DataClass, DataSubject, TableData } from "../values/PersonalData.ts"

/** Every table by its name. */
export const dataTables: ReadonlyMap<string, TableData> = new Map(
  Object.values(dataMaps).flatMap((map) => Object.entries<TableData>(map))
)

export type SubjectKind = Exclude<DataSubject["kind"], "THROUGH">

/** Whose rows they are; those that are found through another table are of its subject. */
export const subjectKind = (subject: DataSubject | undefined): SubjectKind | undefined =>
  subject?.kind === "THROUGH" ? subjectKind(dataTables.get(subject.table)?.subject) : subject?.kind

const classesOf = (kind: SubjectKind): ReadonlyArray<DataClass> => [
  ...new Set(
    [...dataTables.values()]
      .filter(({ subject }) => subjectKind(subject) === kind)
      .flatMap(({ class: name, rowsWith }) =>
        rowsWith === undefined ? [name] : [name, rowsWith.class]
      )
      .filter((name) => name !== "NONE" && name !== "PRIVACY_REQUEST")
  )
]

/** The classes of data about the persons of a policy. */
export const policyClasses = classesOf("POLICY")

/** Those about a customer themselves. Accounts are erased with their sign-ins, and what names them is the last. */
export const customerClasses: ReadonlyArray<DataClass> = [
  ...classesOf("CUSTOMER").filter((name) => name !== "PERSON"),
  "ACCOUNT",
  "PERSON"
]
