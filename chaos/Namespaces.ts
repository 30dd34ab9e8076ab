/** Machines of their own in network namespaces, each joined to the harness by a pair of interfaces. */
import { spawnSync } from "node:child_process"
import type { Host } from "./Worker.ts"

/** Set within the private network in which the harness runs anew. */
const mark = "CHAOS_NAMESPACE"

export const isPrivate = (): boolean => process.env[mark] === "1"

const run = (command: string): boolean => {
  const [file, ...args] = command.split(" ")
  return spawnSync(file!, args, { stdio: "ignore" }).status === 0
}

/** Why this machine allows no namespaces; nothing where it does. */
export const obstacle = (): string | undefined => {
  if (process.platform !== "linux") return "network namespaces are a thing of Linux"
  if (process.getuid?.() !== 0) return "only root makes network namespaces"
  if (!run("ip -V")) return "iproute2 is not installed"
  const { status } = spawnSync("unshare", [...inPrivate, privately])
  return status === 0 ? undefined : "they are not permitted here"
}

const inPrivate = ["--net", "--mount", "sh", "-c"]

/** The names of namespaces are files, which have to go with it, too. */
const privately = "ip link set lo up && mkdir -p /run/netns && mount -t tmpfs names /run/netns"

/** Runs this program once more, in a network and with mounts of its own, and answers how it ended. */
export const again = (): number =>
  spawnSync(
    "unshare",
    [...inPrivate, `${privately} && exec "$0" "$@"`, process.execPath].concat(
      process.execArgv,
      process.argv.slice(1)
    ),
    { stdio: "inherit", env: { ...process.env, [mark]: "1" } }
  ).status ?? 1

/** So many machines, joined to this private network. */
export const hosts = (count: number, env: Host["env"]): ReadonlyArray<Host> => {
  const must = (command: string) => {
    if (!run(command)) throw new Error(`This failed: ${command}`)
  }
  return Array.from({ length: count }, (_, index): Host => {
    const name = `host-${index + 1}`
    const [harness, own] = [`10.99.${index + 1}.1`, `10.99.${index + 1}.2`]
    must(`ip netns add ${name}`)
    must(`ip link add ${name} type veth peer name eth0 netns ${name}`)
    must(`ip address add ${harness}/24 dev ${name}`)
    must(`ip link set ${name} up`)
    must(`ip -n ${name} address add ${own}/24 dev eth0`)
    must(`ip -n ${name} link set eth0 up`)
    must(`ip -n ${name} link set lo up`)
    return { harness, own, command: ["ip", "netns", "exec", name], env }
  })
}
