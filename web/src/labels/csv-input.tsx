import { useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { readText, type Encoding } from '../lib/encoding.ts'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/field.tsx'
import { LettersField } from '../ui/letters-field.tsx'
import type { CsvFile } from './product-input.ts'

type CsvInputProps = { file: CsvFile | null; disabled: boolean; onFile: (file: CsvFile | null) => void }

/** Takes a CSV file, and how its letters are read where it does not tell. */
export function CsvInput({ file: taken, disabled, onFile }: CsvInputProps) {
  const [fault, setFault] = useState<string | undefined>(undefined)
  const newest = useRef(0)

  /** What was asked last counts, however long a file takes. */
  function begin(): () => boolean {
    const mine = (newest.current += 1)
    setFault(undefined)
    return () => newest.current === mine
  }

  async function take(source: File, chosen: Encoding | null): Promise<void> {
    const isWanted = begin()
    try {
      const read = await readText(source, { chosen, language: navigator.language })
      if (isWanted()) onFile({ name: source.name, source, ...read })
    } catch (error) {
      if (!isWanted()) return
      if (chosen === null) onFile(null)
      setFault(`${source.name} cannot be read: ${messageOf(error)}`)
    }
  }

  return (
    <div className="flex flex-col items-start gap-1.5">
      <div className="w-full">
        <FileField
          label="CSV file"
          accept=".csv,text/csv"
          disabled={disabled}
          chosen={taken?.name ?? null}
          error={fault}
          onFile={(file) => void take(file, null)}
        />
      </div>
      {taken !== null && (
        <>
          <LettersField
            choice={taken.choice}
            disabled={disabled}
            onChoose={(chosen) => void take(taken.source, chosen)}
          />
          <Button
            look="quiet"
            disabled={disabled}
            onClick={() => {
              begin()
              onFile(null)
            }}
          >
            Leave the file out
          </Button>
        </>
      )}
    </div>
  )
}
