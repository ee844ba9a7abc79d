// The site is made of the same files as the README: the pages in docs, the changelog and the guide
// for contributors. Links to other files of the repository lead to GitHub.
import { posix } from 'node:path'
import { withMermaid } from 'vitepress-plugin-mermaid'

const repository = 'https://github.com/lockboot/lock-spring-boot'

const pages = (...items) => items.map(([text, page]) => ({ text, link: page.startsWith('/') ? page : `/docs/${page}` }))

export default withMermaid({
  title: 'lock-spring-boot',
  description: 'Distributed locks for Spring Boot',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'target/pages',
  outDir: 'target/site',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  markdown: {
    languageAlias: { acl: 'sh', redis: 'sh' },
    config: (md) => {
      md.core.ruler.push('files-at-github', ({ tokens, env }) => {
        for (const token of tokens.flatMap((block) => block.children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null
          if (href && !/^(https?:|#)|\.md(#|$)/.test(href)) {
            const folder = posix.dirname(env.relativePath === 'index.md' ? 'README.md' : env.relativePath)
            token.attrSet('href', `${repository}/blob/main/${posix.join(folder, href)}`)
          }
        }
      })
    }
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    sidebar: [
      { text: 'Start', items: pages(['Overview', '/'], ['Getting started', 'getting-started'], ['Locking a method', 'locking-methods'],
        ['Locking by hand', 'locking-by-hand'], ['The lock request', 'lock-request'], ['Scheduled jobs', 'scheduled-jobs'], ['Leader election', 'leader-election'], ['Transactions', 'transactions'],
        ['Asynchronous results', 'async'], ['Caching', 'caching'], ['Types and keys of the cache', 'caching-types'], ['What the cache promises', 'caching-consistency'], ['Testing', 'testing'], ['With other Spring projects', 'other-libraries']) },
      { text: 'Decide', items: pages(['Choosing a store', 'choosing-a-store'], ['Redis', 'redis'], ['Redlock', 'redlock'], ['Databases', 'database'], ['Without a lease', 'without-a-lease'], ['ZooKeeper', 'zookeeper'],
        ['When to trust a lock', 'safety'], ['The fence of transactions', 'fencing'], ['Moving from another library', 'migration'],
        ['Benchmarks', 'benchmarks'], ['Of databases and ZooKeeper', 'benchmarks-stores'], ['Of the cache', 'benchmarks-cache'], ['Compatibility', 'compatibility']) },
      { text: 'Run', items: pages(['Running it', 'running'], ['When something goes wrong', 'troubleshooting'],
        ['Monitoring', 'monitoring'], ['All properties', 'properties']) },
      { text: 'Understand', items: pages(['How it works', 'how-it-works'], ['The protocol in Redis', 'protocol'],
        ['The states of a lock', 'engine'], ['Weaving with AspectJ', 'weaving'], ['What is proven', 'proof'], ['The fault suite', 'fault-suite'], ['Contributing', '/CONTRIBUTING'],
        ['Changelog', '/CHANGELOG']) }
    ]
  }
})
