package objectstore

import (
	"strings"
	"testing"
)

func FuzzTreeLines(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("h", 20) + "40000 b\x00" + strings.Repeat("t", 20)))
	f.Add([]byte("100644 a\x00short"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var entries []Entry
		for line, err := range treeLines(raw, 20) {
			if err != nil {
				return
			}
			entries = append(entries, line.entry())
		}
		again, err := EncodeTree(entries)
		if err != nil || len(again) > len(raw)+len(entries) {
			t.Fatalf("%q became %q, %v", raw, again, err)
		}
	})
}
