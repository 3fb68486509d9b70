package providers

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
)

// recorder takes a command's output: hashed and counted whole, kept at the
// end, copied on request.
type recorder struct {
	copy  io.Writer // nil: none, or none any more
	hash  hash.Hash
	bytes int64
	tail  tail
}

func newRecorder(output io.Writer) *recorder {
	return &recorder{copy: output, hash: sha256.New()}
}

// Write never fails: a broken copy must not block the command.
func (r *recorder) Write(p []byte) (int, error) {
	r.hash.Write(p)
	r.bytes += int64(len(p))
	r.tail.write(p)
	if r.copy != nil {
		if _, err := r.copy.Write(p); err != nil {
			r.copy = nil
		}
	}
	return len(p), nil
}

func (r *recorder) result() CommandResult {
	return CommandResult{
		Tail:   r.tail.text(),
		SHA256: hex.EncodeToString(r.hash.Sum(nil)),
		Bytes:  r.bytes,
	}
}
