import { expect, it } from 'vitest'
import { attachment } from './attachment.ts'

it.each([
  ['components_2026-11-21.csv', 'attachment; filename="components_2026-11-21.csv"'],
  [
    'Größe "XL" 7%.zip',
    `attachment; filename="Gr__e _XL_ 7_.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22XL%22%207%25.zip`,
  ],
  ["it's (1).zip", `attachment; filename="it's (1).zip"`],
])('the file name %s reaches old and new clients', (name, header) => {
  expect(attachment(name)).toBe(header)
})
