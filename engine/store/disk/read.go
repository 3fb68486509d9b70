package disk

import (
	"io"
	"os"
	"time"
)

// ReadFile reads a regular file and returns its stamp; zero if the stamp had not settled by now, when the caller begins,
// or the file was written meanwhile, so that the file must be read again next time.
func ReadFile(path string, now time.Time) ([]byte, Stamp, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer file.Close()
	// The stamps before and after the read are of the open file: a rename in between does not change which file is read.
	before, err := file.Stat()
	if err != nil {
		return nil, Stamp{}, err
	}
	text := make([]byte, before.Size(), before.Size()+1)
	n, err := io.ReadFull(file, text)
	// The file was cut meanwhile.
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return text[:n], Stamp{}, nil
	}
	if err != nil {
		return nil, Stamp{}, err
	}
	// The extra byte shows whether the file grew meanwhile, or is one of unknown size.
	if more, err := file.Read(text[n : n+1]); more > 0 {
		rest, err := io.ReadAll(file)
		return append(text[:n+1], rest...), Stamp{}, err
	} else if err != nil && err != io.EOF {
		return nil, Stamp{}, err
	}
	after, err := file.Stat()
	s := FromInfo(before)
	// A stamp that could stay the same after the next write does not count, and the file is read again next time.
	if err != nil || FromInfo(after) != s || !s.Settled(now) {
		return text, Stamp{}, err
	}
	return text, s, nil
}
