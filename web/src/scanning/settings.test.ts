import { beforeEach, expect, it, vi } from 'vitest'
import { readScannerSettings, saveScannerSettings } from './settings.ts'

const company = { prefix: ']C1', suffix: '' }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

it('a device that was never set follows its company', () => {
  expect(readScannerSettings(company)).toEqual({ prefix: ']C1', suffix: '' })
})

it('what a device is set to wins over its company, also where that is nothing', () => {
  saveScannerSettings({ prefix: '', suffix: '' }, company)
  expect(readScannerSettings(company)).toEqual({ prefix: '', suffix: '' })
})

it('a device that is set as its company follows what the company sets later', () => {
  saveScannerSettings({ prefix: '#', suffix: '' }, company)
  saveScannerSettings({ prefix: ']C1', suffix: '' }, company)
  expect(readScannerSettings({ prefix: '', suffix: '~' })).toEqual({ prefix: '', suffix: '~' })
})
