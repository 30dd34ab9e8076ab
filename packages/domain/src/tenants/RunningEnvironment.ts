/** Where a program runs: which tenants it may serve, and whether their secrets may be public. */
import { Config, Option, Schema } from "effect"
import { Environment, TenantId } from "../requests/Tenancy.ts"

const Given = Environment.annotate({ message: "Expected production, sandbox or development" })

/**
 * `ENVIRONMENT`. Its default is `sandbox`, but only without `DATABASE_URL`: a given database may be that of
 * production, where the environment must be named.
 */
export const runningEnvironment: Config.Config<Environment> = Config.option(
  Config.Redacted("DATABASE_URL")
).pipe(
  Config.flatMap((database) => {
    const given = Config.schema(Given, "ENVIRONMENT")
    return Option.isSome(database) ? given : Config.withDefault(given, "sandbox" as const)
  })
)

/** Whether tenants of one environment may live in a database that programs of another serve. */
export const mayShareDatabase = (one: Environment, other: Environment): boolean =>
  (one === "production") === (other === "production")

/** How many tenants are named where there are more. */
const namedTenants = 5

/** The database has tenants that a program of this environment must not serve. */
export class EnvironmentMismatch extends Schema.TaggedError<EnvironmentMismatch>()(
  "EnvironmentMismatch",
  {
    environment: Environment,
    /** The tenants of the other side, by identifier. */
    tenants: Schema.NonEmptyArray(TenantId)
  }
) {
  override get message() {
    const { environment, tenants } = this
    const more = tenants.length > namedTenants ? ", …" : ""
    const names = tenants.slice(0, namedTenants).join(", ") + more
    return environment === "production"
      ? `The database has tenants of a sandbox, whose secrets may be public (${names}): ` +
          `remove each with \`quittance admin tenants remove ${tenants[0]}\`, or name another database in DATABASE_URL.`
      : `The database has tenants of production (${names}), and ENVIRONMENT is ${environment}: ` +
          "set ENVIRONMENT=production, or name another database in DATABASE_URL."
  }
}
