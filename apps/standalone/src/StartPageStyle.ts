/** The style of the start page: the colours of the login page, light and dark. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --paper: #f4f2ee; --card: #fff; --line: #dcd8d0; --accent: #0b5d4d; --on-accent: #fff; --code: #f0ede6; --terminal: #14211e; --on-terminal: #d9efe9 }
@media (prefers-color-scheme: dark) { :root { --ink: #edf0f3; --soft: #a9b4c0; --paper: #14181d; --card: #1d232a; --line: #353d46; --accent: #6fd3bd; --on-accent: #06231d; --code: #2a323b; --terminal: #0c1211; --on-terminal: #cfe8e1 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: break-word }
main, header > div, footer { width: 100%; max-width: 66rem; margin: 0 auto; padding: 0 1.5rem }
header { padding: 3.5rem 0 5.5rem; background: var(--accent); color: var(--on-accent) }
header p { max-width: 42rem; margin: .75rem 0 0; font-size: 1.15rem }
h1 { margin: 0; font-size: 2.75rem; line-height: 1.1; letter-spacing: -.02em }
h2 { margin: 0 0 .75rem; font-size: 1.25rem; letter-spacing: -.01em }
h3 { margin: 1.5rem 0 .5rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft) }
.badge { display: inline-block; vertical-align: middle; margin-left: .6rem; padding: .15rem .7rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .85rem; font-weight: 500; letter-spacing: 0 }
section { margin: 0 0 1.5rem; padding: 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
.first { margin-top: -3.5rem }
.links { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin: 0; padding: 0; list-style: none }
.links a { display: block; height: 100%; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .5rem; color: inherit; text-decoration: none }
.links a:hover { border-color: var(--accent) }
.links strong { display: block; color: var(--accent) }
.links span { font-size: .9rem; color: var(--soft) }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
p { margin: .5rem 0 }
ol { margin: 0; padding-left: 1.4rem }
ol > li { margin: 0 0 1.1rem; padding-left: .3rem }
ol > li::marker { color: var(--accent); font-weight: 700 }
code { padding: .1rem .35rem; border-radius: .3rem; background: var(--code); font: .9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre { margin: .5rem 0 0; padding: .85rem 1rem; border-radius: .5rem; background: var(--terminal); color: var(--on-terminal); white-space: pre-wrap; overflow-wrap: anywhere; user-select: all }
pre code { padding: 0; background: none; color: inherit; font-size: .875rem }
table { width: 100%; border-collapse: collapse; font-size: .95rem }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere }
tr:last-child td { border-bottom: 0 }
th { color: var(--soft); font-size: .85rem; font-weight: 500 }
td:first-child { width: 56% }
td code { background: none; padding: 0 }
h3 code { text-transform: none; letter-spacing: 0; color: var(--ink) }
.tenants { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1.5rem; align-items: start }
.tenants section { margin: 0 }
.soft { color: var(--soft) }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--soft); font-size: .9rem }
`
