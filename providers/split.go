package providers

import (
	"bufio"
	"errors"
	"io"
)

// maxLine bounds what one line may hold in memory, in bytes. What a line has
// beyond it is dropped, and counted.
const maxLine = 16 << 20

// readLines calls line for every line of r, the last one even if nothing ends
// it, with the number of bytes dropped from it. It returns at the end of r; a
// read that fails is an end as well, for a pipe has no more to offer then.
func readLines(r io.Reader, limit int, line func(text []byte, dropped int)) {
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
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if began {
			line(text, dropped)
		}
		if !ended {
			return
		}
		text, dropped, began = nil, 0, false
	}
}
