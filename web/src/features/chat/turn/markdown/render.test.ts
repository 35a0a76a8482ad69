// What a model writes is never more than text with links: nothing runs, nothing is fetched.
// The sanitizer needs a whole DOM.
// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { mount } from '@vue/test-utils'
import { sanitize } from './render'
import StreamMarkdown from './StreamMarkdown.vue'

const ATTACKS = [
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt&colon;alert(1))',
  '[click](java\tscript:alert(1))',
  '<svg onload=alert(1)></svg>',
  '[click](data:text/html,<script>alert(1)</script>)',
  '![tracker](https://evil.example/pixel.png?who=you)',
  '![tracker][r]\n\n[r]: https://evil.example/pixel.png',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '```html\n<script>alert(1)</script>\n```',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '[click](vbscript:msgbox(1))',
  '[click](file:///etc/passwd)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x" onerror="alert(1)](https://evil.example/a.png)',
  '[x](https://ok.example/"onmouseover="alert(1))',
  '<a href="javascript:alert(1)">a</a>',
  '<javascript:alert(1)>',
  '```mermaid\nclick A "javascript:alert(1)"\nA["<img src=x onerror=alert(1)>"]\n```',
  '| <script>alert(1)</script> | b |\n|---|---|\n| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |',
  '<form action=//evil.example><button>send</button></form>',
  '<style>@import "//evil.example"</style>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
]

test.each(ATTACKS)('harmless: %s', (attack) => {
  const page = mount(StreamMarkdown, { props: { text: attack } }).element as Element
  for (const element of page.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      expect(name).not.toMatch(/^on|^style$|^srcdoc$|^srcset$|^action$|^formaction$/)
    }
    expect(element.tagName).not.toMatch(/^(SCRIPT|IFRAME|SVG|MATH|STYLE|FORM|OBJECT|EMBED|LINK|META|BASE|VIDEO|AUDIO)$/)
    const target = element.getAttribute('href')
    if (target !== null) expect(target).toMatch(/^(https?:|mailto:)/)
    if (element.tagName === 'IMG') expect(element.getAttribute('src')).toMatch(/^data:image\/(png|jpeg|gif|webp);/)
  }
})

test('links open elsewhere and tell nothing of here', () => {
  const link = mount(StreamMarkdown, { props: { text: 'see https://example.org/a and [b](mailto:a@example.org)' } }).findAll('a')
  expect(link.map((a) => a.attributes('href'))).toEqual(['https://example.org/a', 'mailto:a@example.org'])
  for (const a of link) {
    expect(a.attributes('rel')).toContain('noopener')
    expect(a.attributes('target')).toBe('_blank')
  }
})

test('the sanitizer alone lets nothing through either', () => {
  const html = sanitize('<p onclick="x()" style="color:red">a<script>b</script><a href="javascript:x">c</a><img src="https://evil.example/x" onerror="y"></p>')
  expect(html).not.toMatch(/onclick|style|script|onerror/)
})

test('tables, task lists and code come out whole', () => {
  const page = mount(StreamMarkdown, {
    props: { text: '| a | b |\n|:--|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```rust\nfn main() {}\n```' },
  })
  expect(page.find('td.align-right').text()).toBe('2')
  expect(page.findAll('li.task input').map((box) => box.attributes('checked') !== undefined)).toEqual([true, false])
  expect(page.find('li.task input').attributes('aria-label')).toBe('done')
  expect(page.find('figure.code .language').text()).toBe('rust')
  expect(page.find('pre').attributes('tabindex')).toBe('0')
})
