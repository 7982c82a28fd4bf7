import Flashlight from 'lucide-react/icons/flashlight'
import X from 'lucide-react/icons/x'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { cameraProblem, insecurePage, openCamera, takenAway, type Camera } from './camera.ts'
import { createDecoder, prepareDecoder } from './decoder.ts'
import { watch, type WatchOptions } from './watching.ts'

type CameraPanelProps = Pick<WatchOptions, 'onCode' | 'isScanning'> & { onClose: () => void }

/** The codes in what a camera shows at this moment. */
function createReader(video: HTMLVideoElement): () => Promise<string[]> {
  const decoder = createDecoder()
  return async () => {
    const isReady = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !document.hidden
    return isReady ? await decoder.read(video) : []
  }
}

/** Opens the camera and what reads its pictures; it stays open only where both are there. */
async function openReady(): Promise<Camera> {
  const [opening, preparing] = await Promise.allSettled([openCamera(), prepareDecoder()])
  if (opening.status === 'rejected') throw opening.reason
  if (preparing.status === 'fulfilled') return opening.value
  opening.value.close()
  throw preparing.reason
}

/** The camera as a scanner: what it reads goes the same way as a scanner's codes. */
export function CameraPanel({ onCode, isScanning, onClose }: CameraPanelProps) {
  const section = useRef<HTMLElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [camera, setCamera] = useState<Camera | null>(null)
  const [problem, setProblem] = useState('mediaDevices' in navigator ? null : insecurePage)
  const [torch, setTorch] = useState(false)
  const takeCode = useEffectEvent((code: string) => onCode(code))
  const isTyped = useEffectEvent((at: number) => isScanning(at))

  useEffect(() => {
    // What the browser puts in above what somebody looks at, it leaves out of view.
    section.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [])

  useEffect(() => {
    const picture = video.current
    let isOver = false
    let stop = () => {
      isOver = true
    }
    async function start(shownIn: HTMLVideoElement): Promise<void> {
      const opened = await openReady()
      if (isOver) {
        opened.close()
        return
      }
      shownIn.srcObject = opened.stream
      opened.onEnded(() => setProblem(takenAway))
      setCamera(opened)
      const stopWatching = watch({
        read: createReader(shownIn),
        onCode: (code) => takeCode(code),
        isScanning: (at) => isTyped(at),
      })
      stop = () => {
        stopWatching(opened.close).catch(reportError)
      }
    }
    if (picture !== null && 'mediaDevices' in navigator) {
      start(picture).catch((error: unknown) => setProblem(cameraProblem(error)))
    }
    return () => stop()
  }, [])

  async function switchTorch(): Promise<void> {
    await camera?.switchTorch?.(!torch)
    setTorch(!torch)
  }

  return (
    <section
      ref={section}
      aria-label="Camera"
      className="relative flex scroll-mt-16 flex-col gap-3 desk:scroll-mt-26"
    >
      {problem !== null && <Banner tone="bad">{problem}</Banner>}
      <video
        ref={video}
        autoPlay
        muted
        playsInline
        aria-label="What the camera sees"
        // On its side, a phone is left room for more than the picture.
        className="aspect-video max-h-[30dvh] w-full rounded-card bg-sunken object-cover"
        hidden={problem !== null}
      />
      <div className={`flex flex-wrap gap-3 ${problem === null ? 'absolute right-2 bottom-2' : ''}`}>
        {camera !== null && camera.switchTorch !== null && (
          <Button aria-pressed={torch} onClick={() => void switchTorch().catch(reportError)}>
            <Flashlight aria-hidden className="size-5" />
            Light
          </Button>
        )}
        <Button onClick={onClose}>
          <X aria-hidden className="size-5" />
          Close camera
        </Button>
      </div>
    </section>
  )
}
