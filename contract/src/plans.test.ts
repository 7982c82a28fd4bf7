import { describe, expect, it } from 'vitest'
import { locations } from './locations.ts'
import {
  getPlan,
  hasBranding,
  includesPlan,
  planKeys,
  planLocations,
  planOffers,
  plans,
  trialDays,
} from './plans.ts'

describe('a plan', () => {
  it.each([
    ['starter', { labelsPerMonth: 500, maxLocations: 1, maxUsers: 3 }],
    ['professional', { labelsPerMonth: 2_000, maxLocations: 3, maxUsers: 10 }],
    ['enterprise', { labelsPerMonth: null, maxLocations: null, maxUsers: null }],
  ] as const)('%s has its limits', (key, limits) => {
    expect(getPlan(key)).toMatchObject({ key, ...limits })
  })

  it.each([
    ['starter', ['PRIMARY']],
    ['professional', ['PRIMARY', 'SECONDARY', 'FULFILLMENT']],
    ['enterprise', ['PRIMARY', 'SECONDARY', 'FULFILLMENT', 'DISTRIBUTION']],
  ] as const)('%s opens its locations and no other', (key, opened) => {
    expect(planLocations(key).map(({ code }) => code)).toEqual(opened)
    expect(locations.filter(({ code }) => planOffers(key, code)).map(({ code }) => code)).toEqual(opened)
    expect(getPlan(key).maxLocations ?? 4).toBe(opened.length)
  })

  it('includes what begins with itself or a smaller one', () => {
    expect(planKeys.map((from) => planKeys.filter((key) => includesPlan(key, from)))).toEqual([
      ['starter', 'professional', 'enterprise'],
      ['professional', 'enterprise'],
      ['enterprise'],
    ])
  })

  it('has branding from Professional on', () => {
    expect(planKeys.filter(hasBranding)).toEqual(['professional', 'enterprise'])
  })

  it('that is recommended is one', () => {
    expect(plans.filter(({ popular }) => popular).map(({ key }) => key)).toEqual(['professional'])
  })

  it('begins with a trial of two weeks', () => {
    expect(trialDays).toBe(14)
  })

  it('that does not exist is nobody’s', () => {
    const unknown: unknown = 'platinum'
    expect(() => Reflect.apply(getPlan, null, [unknown])).toThrow('There is no such plan.')
  })
})
