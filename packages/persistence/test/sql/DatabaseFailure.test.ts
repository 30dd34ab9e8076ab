import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { isAbsence, overload } from "../../src/sql/DatabaseFailure.ts"

const failure = (code: string, operation = "query") =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error("x"), { code }),
      message: "Query failed",
      operation
    })
  })

describe("the absence of the database", () => {
  it.each([
    "57P01", // admin_shutdown
    "57P02", // crash_shutdown
    "57P03", // cannot_connect_now
    "53100", // disk_full
    "53200", // out_of_memory
    "53300", // too_many_connections
    "25006", // read_only_sql_transaction
    "08006", // connection_failure
    "58030" // io_error
  ])("is what %s says", (code) => assert.isTrue(isAbsence(failure(code))))

  it.each(["22003", "23505", "25P02", "40001", "42P01", "55P03", "57014", "XX000", ""])(
    "is not what %s says",
    (code) => assert.isFalse(isAbsence(failure(code)))
  )

  it("is whatever keeps a connection from being made", () => {
    assert.isTrue(isAbsence(failure("55000", "connect")))
    assert.isTrue(isAbsence(failure("28P01", "connect")))
  })

  it("is that of a connection that went away, and of no other fault", () => {
    const cause = new Error("ECONNRESET")
    const reason = new SqlError.ConnectionError({ cause, message: "gone", operation: "query" })
    assert.isTrue(isAbsence(new SqlError.SqlError({ reason })))
    for (const other of [cause, undefined, null, "57P01", { code: "57P01" }]) {
      assert.isFalse(isAbsence(other))
    }
  })
})

describe("too much at a time", () => {
  const timedOut = (tag: "LockTimeoutError" | "StatementTimeoutError") => {
    const given = { cause: new Error("canceling statement"), operation: "execute" }
    const reason =
      tag === "LockTimeoutError"
        ? new SqlError.LockTimeoutError(given)
        : new SqlError.StatementTimeoutError(given)
    return new SqlError.SqlError({ reason })
  }

  it("is a lock that others hold, and a statement that takes too long", () => {
    assert.strictEqual(overload(timedOut("LockTimeoutError"))?.waitingFor, "RECORD")
    assert.strictEqual(overload(timedOut("StatementTimeoutError"))?.waitingFor, "DATABASE")
  })

  it("is no other failure", () => {
    assert.isUndefined(overload(failure("23505")))
    assert.isUndefined(overload(new Error("x")))
  })
})
