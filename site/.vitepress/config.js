// The site is made of the same files as the README: the pages in docs, the changelog and the guide
// for contributors. Links to other files of the repository lead to GitHub.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { withMermaid } from 'vitepress-plugin-mermaid'

const repository = 'https://github.com/lockboot/lock-spring-boot'

const base = process.env.SITE_BASE ?? '/'

const version = readFileSync('../pom.xml', 'utf8').match(/<version>(.+?)<\/version>/)[1]

const pages = (...items) => items.map(([text, page]) => ({ text, link: page.startsWith('/') ? page : `/docs/${page}` }))

export default withMermaid({
  title: 'lock-spring-boot',
  description: 'Distributed locks for Spring Boot',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  srcDir: 'target/pages',
  outDir: 'target/site',
  rewrites: { 'README.md': 'overview.md' },
  cleanUrls: true,
  markdown: {
    languageAlias: { acl: 'sh', redis: 'sh' },
    config: (md) => {
      md.core.ruler.push('files-at-github', ({ tokens, env }) => {
        for (const token of tokens.flatMap((block) => block.children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href && !/^(https?:|#)|\.md(#|$)/.test(href)) {
            const folder = posix.dirname(env.relativePath === 'overview.md' ? 'README.md' : env.relativePath)
            token.attrSet('href', `${repository}/blob/main/${posix.join(folder, href)}`)
          }
        }
      })
      // a chart in both themes: the reader's choice counts, not that of the system
      md.core.ruler.push('charts', ({ tokens }) => {
        let dark
        for (const token of tokens.flatMap((block) => block.children ?? [])) {
          token.content = token.content.replace(/<source media="[^"]*dark[^"]*" srcset="([^"]+)">/, (_, file) => ((dark = file), ''))
            .replace(/<(\/?)picture>/, '<$1span>')
            .replace(/<img alt="([^"]*)" src="([^"]+-light\.svg)">/, (_, alt, file) =>
              `<img class="dark-only" alt="${alt}" src="${dark}"><img class="light-only" alt="${alt}" src="${file}">`)
        }
      })
    }
  },
  // narrow diagrams with large letters, which stay legible when they are scaled to the page
  mermaid: {
    themeVariables: { fontSize: '18px' },
    flowchart: { nodeSpacing: 16, rankSpacing: 30, wrappingWidth: 190 },
    sequence: { wrap: true, width: 140, actorMargin: 24, messageFontSize: 18, noteFontSize: 18, actorFontSize: 18 }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: version, link: '/CHANGELOG' }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: repository }],
    sidebar: [
      { text: 'Introduction', items: pages(['What it is', '/overview'], ['When to trust a lock', 'safety'], ['Do you need a lock?', 'without-a-lease'], ['Questions', 'questions']) },
      { text: 'Tutorial', items: pages(['Getting started', 'getting-started']) },
      { text: 'Guides', items: pages(['Lock a method', 'locking-methods'], ['Lock a part of a method', 'locking-by-hand'], ['Run a job once', 'scheduled-jobs'], ['Elect a leader', 'leader-election'],
        ['Limit concurrency', 'locking-methods#permits-of-distributedsemaphore'], ['Several locks', 'locking-by-hand#several-locks-at-once'], ['Transactions', 'transactions'], ['Asynchronous and Kotlin', 'async'],
        ['Cache', 'caching'], ['Types and keys of the cache', 'caching-types'], ['What the cache promises', 'caching-consistency'], ['Test', 'testing'], ['Move here', 'migration'],
        ['With other Spring projects', 'other-libraries'], ['Weave with AspectJ', 'weaving']) },
      { text: 'Stores', items: pages(['Choose a store', 'choosing-a-store'], ['Redis and Redlock', 'redis'], ['Databases', 'database'], ['ZooKeeper', 'zookeeper']) },
      { text: 'Correctness', items: pages(['Timelines', 'safety#what-no-lease-can-prevent'], ['Fencing', 'fencing'], ['What is tested', 'proof']) },
      { text: 'Operations', items: pages(['Run it', 'running'], ['Incidents', 'incidents'], ['Monitor it', 'monitoring']) },
      { text: 'Reference', items: pages(['Properties', 'properties'], ['Compatibility', 'compatibility'], ['Security', '/SECURITY'], ['Changelog', '/CHANGELOG']) },
      { text: 'Performance', items: pages(['Benchmarks', 'benchmarks']) },
      { text: 'For contributors', items: pages(['Contributing', '/CONTRIBUTING'], ['How it works', 'how-it-works'], ['The states of a lock', 'engine'], ['The protocol in Redis', 'protocol'],
        ['The fault suite', 'fault-suite'], ['Adding a store', 'adding-a-store'], ['Releasing', '/RELEASING']) }
    ]
  }
})
