import { report, type Line } from '../report.ts'
import { openFloor } from './floor.ts'
import { measureDrain, measureMemory, measureScans, measureSearch } from './parts.ts'

const components = 10_000

const floor = await openFloor(components)
try {
  const lines: Line[] = []
  for (const measure of [measureScans, measureSearch, measureDrain, measureMemory]) {
    lines.push(...(await measure(floor)))
  }
  const facts = {
    chromium: floor.browser.version(),
    components: components.toLocaleString('en-US'),
    screen: '360x640',
  }
  await report({ name: 'browser', isBit: false, facts }, lines)
} finally {
  await floor.close()
}
