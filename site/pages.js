// Copies the pages, and makes the landing page of the README: its first paragraph, its first example and its picture.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

const pages = 'target/pages'
rmSync('target', { recursive: true, force: true })
mkdirSync(`${pages}/internal/benchmarks`, { recursive: true })
for (const file of readdirSync('..').filter((name) => name.endsWith('.md'))) cpSync(`../${file}`, `${pages}/${file}`)
cpSync('../docs', `${pages}/docs`, { recursive: true })
cpSync('../internal/benchmarks/README.md', `${pages}/internal/benchmarks/README.md`)
cpSync('public', `${pages}/public`, { recursive: true })

const readme = readFileSync('../README.md', 'utf8')
const find = (pattern) => readme.match(pattern)?.[0] ?? (() => { throw new Error(`The README has no ${pattern}`) })()
writeFileSync(`${pages}/index.md`, `---
layout: home
hero:
  name: lock-spring-boot
  text: Distributed locks for Spring Boot
  actions:
    - { theme: brand, text: Getting started, link: /docs/getting-started }
    - { theme: alt, text: What it is, link: /overview }
    - { theme: alt, text: When to trust a lock, link: /docs/safety }
---

${find(/^Annotate a method[^]*?\n\n/m)}
${find(/^```java\n[^]*?^```$/m)}

${find(/^!\[.*\]\(docs\/images\/live\.webp\)$/m)}
`)
