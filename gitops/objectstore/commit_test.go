package objectstore

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree t\nparent p\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig x\n y\n\nsubject\n\nA: b\n"))
	f.Add([]byte("author\ncommitter\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := ParseCommit("h", raw)
		assert.NotContains(t, c.Subject, "\n")
		assert.Contains(t, string(raw), c.Message)
	})
}

func FuzzParseRecord(f *testing.F) {
	f.Add("h\np q\nt\nA <a@b>\n12\nsubject\n\nbody\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, record string) { ParseRecord(record) })
}
