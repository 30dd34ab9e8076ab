import { Schema } from "effect"

/** Where the bytes of contents may be: in the database, in a folder, or with a service that speaks S3. */
export const StoreKind = Schema.Literals(["POSTGRES", "FOLDER", "S3"])
export type StoreKind = typeof StoreKind.Type
