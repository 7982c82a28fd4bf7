const soundKey = 'count_sound'
const speechKey = 'count_speech'

/**
 * A difference that was recorded asks for nothing more at the shelf, what is wrong does, and of an unknown code it is the label. That
 * a code waits is nothing wrong.
 */
export type Signal = 'right' | 'recorded' | 'unknown' | 'wrong' | 'piece' | 'waiting' | 'bin'

type Sound = {
  type: OscillatorType
  gain: number
  /** Hertz, and seconds from now. */
  tones: { frequency: number; from: number; to: number }[]
  /** Milliseconds: on, off, on. */
  vibration: number[]
}

/** Told apart without looking: rising, falling, three short, two long and low, a tick, one in the middle, a soft one. */
const sounds: Record<Signal, Sound> = {
  right: {
    type: 'sine',
    gain: 0.2,
    tones: [
      { frequency: 880, from: 0, to: 0.07 },
      { frequency: 1320, from: 0.07, to: 0.16 },
    ],
    vibration: [40],
  },
  recorded: {
    type: 'sine',
    gain: 0.2,
    tones: [
      { frequency: 880, from: 0, to: 0.07 },
      { frequency: 587, from: 0.07, to: 0.2 },
    ],
    vibration: [40, 60, 40],
  },
  unknown: {
    type: 'square',
    gain: 0.12,
    tones: [
      { frequency: 330, from: 0, to: 0.08 },
      { frequency: 330, from: 0.13, to: 0.21 },
      { frequency: 330, from: 0.26, to: 0.34 },
    ],
    vibration: [60, 40, 60, 40, 60],
  },
  wrong: {
    type: 'square',
    gain: 0.12,
    tones: [
      { frequency: 220, from: 0, to: 0.16 },
      { frequency: 220, from: 0.22, to: 0.42 },
    ],
    vibration: [120, 60, 120],
  },
  piece: { type: 'sine', gain: 0.2, tones: [{ frequency: 1760, from: 0, to: 0.03 }], vibration: [15] },
  waiting: { type: 'triangle', gain: 0.2, tones: [{ frequency: 523, from: 0, to: 0.12 }], vibration: [80] },
  bin: { type: 'sine', gain: 0.2, tones: [{ frequency: 659, from: 0, to: 0.25 }], vibration: [25, 40, 25] },
}

let audio: AudioContext | undefined
let rest: ReturnType<typeof setTimeout> | undefined

/** A device that plays nothing takes from the battery all the same, and is ready again within a tone's length. */
const silenceMs = 30_000

export function isSoundOn(): boolean {
  return localStorage.getItem(soundKey) !== 'off'
}

export function setSoundOn(on: boolean): void {
  localStorage.setItem(soundKey, on ? 'on' : 'off')
}

/** Whether results are spoken: for hands that are full and eyes that are on the shelf. Off by default. */
export function isSpeechOn(): boolean {
  return localStorage.getItem(speechKey) === 'on'
}

export function setSpeechOn(on: boolean): void {
  localStorage.setItem(speechKey, on ? 'on' : 'off')
  if (!on && 'speechSynthesis' in window) window.speechSynthesis.cancel()
}

function wakeAudio(): AudioContext {
  const awake = (audio ??= new AudioContext())
  // Browsers stop it before the first touch, and some after a call or while the screen was locked.
  awake.resume().catch(reportError)
  clearTimeout(rest)
  rest = setTimeout(() => {
    awake.suspend().catch(reportError)
  }, silenceMs)
  return awake
}

/**
 * Makes ready what plays sounds, and the first tone: that takes longer than a result, the first of which would wait for it.
 * Before any touch browsers would warn.
 */
export function prepareSound(): void {
  // Firefox knows of touches since version 120.
  const isTouched = 'userActivation' in navigator && navigator.userActivation.hasBeenActive
  if (isSoundOn() && isTouched) wakeAudio().createOscillator()
}

function play(signal: Signal): void {
  const audio = wakeAudio()
  const { type, gain: loudness, tones } = sounds[signal]
  for (const { frequency, from, to } of tones) {
    const oscillator = new OscillatorNode(audio, { frequency, type })
    const gain = new GainNode(audio, { gain: loudness })
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(audio.currentTime + from)
    oscillator.stop(audio.currentTime + to)
  }
}

/** Lets the person hear and feel a result without looking up. */
export function signal(what: Signal): void {
  if (!isSoundOn()) return
  play(what)
  if ('vibrate' in navigator) navigator.vibrate(sounds[what].vibration)
}

/** Says a sentence where the person wants to hear it. A newer one cuts an older one short: only the last matters. */
export function speak(sentence: string): void {
  if (!isSpeechOn() || !('speechSynthesis' in window)) return
  window.speechSynthesis.cancel()
  window.speechSynthesis.speak(new SpeechSynthesisUtterance(sentence))
}
