package providers

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds what one line may hold in memory, in bytes. What a line has
// beyond it is dropped, and counted.
const maxLine = 16 << 20

// use is what becomes of a line that was read.
type use int

const (
	sent   use = iota // it is kept
	unused            // its memory can be used again
	enough            // of the rest of the output, only the end is wanted
)

// readLines calls line for every line of r, the last one even if nothing ends
// it, with the number of bytes dropped from it. It returns at the end of r; a
// read that fails is an end as well, for a pipe has no more to offer then.
// If line has enough, it is called for the lines in the last endSize bytes alone, after skipped.
func readLines(r io.Reader, limit int, line func(text []byte, dropped int) use, skipped func(bytes int64)) {
	in := bufio.NewReaderSize(r, 64<<10)
	var text []byte
	dropped, began := 0, false
	for {
		part, err := in.ReadSlice('\n')
		ended := err == nil
		began = began || len(part) > 0
		if ended {
			part = part[:len(part)-1]
		}
		room := min(len(part), limit-len(text))
		text = append(text, part[:room]...)
		dropped += len(part) - room
		// The buffer was full; the line is not complete.
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		became := unused
		// After the last line end, there is no other line.
		if began {
			became = line(text, dropped)
		}
		switch {
		case !ended:
			return
		case became == enough:
			end, left := lastOf(in)
			skipped(left)
			readLines(bytes.NewReader(end), limit, func(text []byte, dropped int) use {
				line(text, dropped)
				return sent
			}, skipped)
			return
		case became == sent:
			// The line was sent to another goroutine, which has its memory now.
			text = nil
		}
		text, dropped, began = text[:0], 0, false
	}
}

// endSize is how much of the end of an output is still split into lines if nothing else of it is wanted, in bytes.
const endSize = 64 << 10

// lastOf reads to the end and returns the lines in the last endSize bytes, and how many bytes were before them.
func lastOf(in io.Reader) (end []byte, before int64) {
	last := &tail{keep: endSize}
	block := make([]byte, 64<<10)
	var all int64
	for {
		n, err := in.Read(block)
		last.write(block[:n])
		all += int64(n)
		if err != nil {
			break
		}
	}
	end = last.buf[max(0, len(last.buf)-endSize):]
	if int64(len(end)) < all {
		// The first of these lines was cut at its beginning.
		end = fromBorder(end)
	}
	return end, all - int64(len(end))
}
