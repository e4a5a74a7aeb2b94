import { expect, test } from 'vitest'
import { formulaMark as mark, markFormulas } from './maths-marks'

test.each([
  ['Euler: $e^{i\\pi} = -1$.', `Euler: \`${mark}e^{i\\pi} = -1\`.`],
  ['For \\(a \\le b\\) and $x$', `For \`${mark}a \\le b\` and \`${mark}x\``],
  ['$$\nx = 1\n$$', '```math\nx = 1\n```'],
  ['So\n\n\\[\n\\int_0^1 x\\,dx\n\\]\n\nand on', 'So\n\n```math\n\\int_0^1 x\\,dx\n```\n\nand on'],
  ['- a list\n  $$a^2$$', '- a list\n  ```math\n  a^2\n  ```'],
  ['> $$\n> a\n> $$', '> ```math\n> a\n> ```'],
  ['in a line $$a+b$$ of text', `in a line \`${mark}a+b\` of text`],
])('%j has formulas', (text, marked) => {
  expect(markFormulas(text)).toBe(marked)
})

test.each([
  'It costs $5 and then $10.',
  'between $5-$10',
  'echo $HOME and $USER',
  'PATH=$HOME/bin:$PATH',
  'a \\$x\\$ b',
  '`$x$` and ``$y^2$``',
  '```sh\necho $a^2$ $$b$$\n```',
  '```\nnever closed $x^2$',
  '~~~\n$x^2$\n~~~',
  'an open $$ and no more',
  'US$ and A$',
  '[a link](https://example.org/$a$b)',
])('%j has none', (text) => {
  expect(markFormulas(text)).toBe(text)
})

test('a long text of nothing but marks is read to its end', () => {
  const text = `${'$x$ '.repeat(30_000)}\n${'\\('.repeat(10_000)}\n${'$$ x '.repeat(10_001)}\n${'`$x$ '.repeat(9_999)}`
  expect(markFormulas(text).length).toBeGreaterThan(text.length)
})
